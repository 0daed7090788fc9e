import CAss
import MediaEngine
import MediaRuntime

/// One of libass's tracks: styles, and the events that may be shown.
final class AssTrack {
  let handle: UnsafeMutablePointer<ASS_Track>
  private let fonts: AssFonts

  /// - Parameter header: everything but events, in SubStation Alpha.
  init(_ fonts: AssFonts, header: String) throws(MediaError) {
    guard let handle = fonts.ass.call.ass_new_track(fonts.handle) else { throw AssFonts.noMemory }
    self.fonts = fonts
    self.handle = handle
    var bytes = Array(header.utf8.filter { $0 != 0 }.prefix(SubtitleRenderLimits.headerBytes)).map {
      CChar(bitPattern: $0)
    }
    let count = Int32(bytes.count)
    bytes.append(0)
    fonts.ass.call.ass_process_codec_private(handle, &bytes, count)
    // Events of equal numbers may be of several files.
    fonts.ass.call.ass_set_check_readorder(handle, 0)
  }

  deinit { fonts.ass.call.ass_free_track(handle) }

  /// Lines broken by Unicode's rules and brackets mirrored: for text that no author has laid out for libass.
  func usesUnicodeRules() {
    _ = fonts.ass.call.ass_track_set_feature(handle, ASS_FEATURE_WRAP_UNICODE, 1)
    _ = fonts.ass.call.ass_track_set_feature(handle, ASS_FEATURE_BIDI_BRACKETS, 1)
  }

  var eventCount: Int { Int(handle.pointee.n_events) }

  /// - Parameter packet: the form of Matroska's blocks.
  /// - Returns: whether it was taken.
  func add(_ packet: String, start: Int64, duration: Int64) -> Bool {
    let before = eventCount
    var bytes = packet.utf8.filter { $0 != 0 }.map { CChar(bitPattern: $0) }
    let count = Int32(clamping: bytes.count)
    bytes.append(0)
    fonts.ass.call.ass_process_chunk(handle, &bytes, count, start, duration)
    return eventCount > before
  }

  /// Takes out all events.
  func removeAll() { fonts.ass.call.ass_flush_events(handle) }

  /// Takes out the event at a place; the others keep their order, and what libass knows of where it put them.
  func remove(at place: Int) {
    let count = eventCount
    guard place >= 0, place < count, let events = handle.pointee.events else { return }
    fonts.ass.call.ass_free_event(handle, Int32(place))
    for index in place..<(count - 1) { events[index] = events[index + 1] }
    handle.pointee.n_events -= 1
  }
}
