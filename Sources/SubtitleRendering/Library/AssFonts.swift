import CAss
import Foundation
import MediaEngine
import MediaRuntime

/// libass's library object: the fonts that came with the film, beside the system's.
final class AssFonts {
  let ass: AssLibrary
  let handle: OpaquePointer

  /// Bytes of all attached fonts that are taken in; the rest is drawn in the system's.
  static let byteLimit = 256 << 20

  init(_ ass: AssLibrary, _ fonts: [AttachedFont]) throws(MediaError) {
    guard let handle = ass.call.ass_library_init() else { throw Self.noMemory }
    self.ass = ass
    self.handle = handle
    // What libass reports of odd scripts is no concern of the viewer's, and would go to standard error.
    ass.call.ass_set_message_cb(handle, { @Sendable _, _, _, _ in }, nil)
    ass.call.ass_set_extract_fonts(handle, 1)
    var rest = Self.byteLimit
    for font in fonts where font.data.count <= rest {
      rest -= font.data.count
      font.data.withUnsafeBytes { bytes in
        ass.call.ass_add_font(
          handle, font.name, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
      }
    }
  }

  deinit { ass.call.ass_library_done(handle) }

  static let noMemory = MediaError(.outOfMemory, "There is no memory for drawing subtitles. Close other programs.")
}

/// One of libass's renderers: a frame's size, and caches of glyphs.
final class AssRenderer {
  let fonts: AssFonts
  private let handle: OpaquePointer
  private var size: (width: Int, height: Int)?
  private var storage: (width: Int, height: Int)?

  /// Glyphs, and MiB of bitmaps, that libass keeps.
  private static let glyphLimit: Int32 = 4_000
  private static let bitmapLimit: Int32 = 64

  init(_ fonts: AssFonts, family: String) throws(MediaError) {
    guard let handle = fonts.ass.call.ass_renderer_init(fonts.handle) else { throw AssFonts.noMemory }
    self.fonts = fonts
    self.handle = handle
    fonts.ass.call.ass_set_fonts(handle, nil, family, Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
    fonts.ass.call.ass_set_cache_limits(handle, Self.glyphLimit, Self.bitmapLimit)
  }

  deinit { fonts.ass.call.ass_renderer_done(handle) }

  /// - Parameter storage: of the film's own picture, which borders and blur of scripts refer to.
  func setSize(width: Int, height: Int, storage: (width: Int, height: Int)) {
    if size.map({ $0 != (width, height) }) ?? true {
      fonts.ass.call.ass_set_frame_size(handle, Int32(clamping: width), Int32(clamping: height))
      size = (width, height)
    }
    if self.storage.map({ $0 != storage }) ?? true {
      fonts.ass.call.ass_set_storage_size(handle, Int32(clamping: storage.width), Int32(clamping: storage.height))
      self.storage = storage
    }
  }

  func setFontScale(_ scale: Double) { fonts.ass.call.ass_set_font_scale(handle, scale) }

  /// The track's picture at a time. What is given lives until the next call.
  /// - Returns: nil pictures where nothing has changed since the last call for this track.
  func render(_ track: AssTrack, at milliseconds: Int64) -> (images: [AssImage], hasChanged: Bool) {
    guard let size else { return ([], true) }
    var change: Int32 = 0
    let first = fonts.ass.call.ass_render_frame(handle, track.handle, milliseconds, &change)
    return (AssImage.list(first, width: size.width, height: size.height), change != 0)
  }
}
