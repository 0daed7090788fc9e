import CFFmpeg

/// Owns a reference to a decoded frame of FFmpeg's; its pixels or samples are shared, never copied.
///
/// `@unchecked Sendable`: filled once, only read afterwards.
final class FrameBox: @unchecked Sendable {
  let frame: UnsafeMutablePointer<AVFrame>

  /// Nil when there is no memory.
  init?() {
    guard let frame = av_frame_alloc() else { return nil }
    self.frame = frame
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }
}
