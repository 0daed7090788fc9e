import CFFmpeg
import MediaEngine

/// What a decoder of this backend needs to know of a track: `MediaTrack.decoderConfiguration`.
///
/// `@unchecked Sendable`: the parameters are copied at the start and only read afterwards.
final class DecoderConfiguration: @unchecked Sendable {
  let parameters: UnsafePointer<AVCodecParameters>
  let timeBase: AVRational
  /// The stream's timestamp at item time 0.
  let origin: Int64
  /// Of pictures, on average; 0/1 when unknown.
  let frameRate: AVRational
  /// Overrides what pictures say themselves, as the container's pixel aspect does.
  let pixelAspect: AVRational
  let isProtected: Bool
  /// Sound outside is priming or padding: samples in item time, nil for an open end.
  let soundEnd: Int64?
  /// FFmpeg’s name, for errors.
  let codecName: String

  init?(stream: AVStream, clock: StreamClock, isProtected: Bool, soundEnd: Int64?) {
    guard let source = stream.codecpar, let copy = avcodec_parameters_alloc() else { return nil }
    guard avcodec_parameters_copy(copy, source) >= 0 else {
      var copy: UnsafeMutablePointer<AVCodecParameters>? = copy
      avcodec_parameters_free(&copy)
      return nil
    }
    parameters = UnsafePointer(copy)
    timeBase = clock.timeBase
    origin = clock.origin
    frameRate = stream.avg_frame_rate
    pixelAspect = stream.sample_aspect_ratio
    self.isProtected = isProtected
    self.soundEnd = soundEnd
    codecName = String(c: avcodec_get_name(source.pointee.codec_id)) ?? "unknown"
  }

  deinit {
    var copy: UnsafeMutablePointer<AVCodecParameters>? = UnsafeMutablePointer(mutating: parameters)
    avcodec_parameters_free(&copy)
  }
}
