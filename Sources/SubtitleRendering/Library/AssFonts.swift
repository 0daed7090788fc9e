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
