import CAss
import MediaRuntime

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

  /// The track's picture at a time. What is given lives until the next call.
  /// - Returns: the masks in the order of drawing, and whether they are others than those of the last call.
  func render(_ track: AssTrack, at milliseconds: Int64) -> (images: [AssImage], hasChanged: Bool) {
    guard let size else { return ([], true) }
    var change: Int32 = 0
    let first = fonts.ass.call.ass_render_frame(handle, track.handle, milliseconds, &change)
    return (AssImage.list(first, width: size.width, height: size.height), change != 0)
  }
}
