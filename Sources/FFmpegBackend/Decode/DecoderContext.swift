import CFFmpeg
import MediaEngine
import MediaIO
import MediaRuntime

/// An opened decoder of libavcodec, with what is alike for pictures and sound. One queue at a time.
final class DecoderContext {
  let context: UnsafeMutablePointer<AVCodecContext>
  let configuration: DecoderConfiguration
  let name: String
  let complaints = ComplaintCounter()

  /// - Parameters:
  ///   - device: what decodes in place of the processor; throws when it can't.
  ///   - prepare: called before the decoder is opened, to set threads.
  init(
    _ track: MediaTrack, device: (any HardwareDevice)? = nil,
    prepare: (UnsafeMutablePointer<AVCodecContext>, UnsafePointer<AVCodec>) -> Void = { _, _ in }
  ) throws(MediaError) {
    LogBridge.install()
    MemoryLimit.install()
    PicturePlacement.install()
    guard let configuration = track.decoderConfiguration as? DecoderConfiguration else {
      throw MediaError(
        .decoderOpenFailed, "The track was described by another back end. Open the media again.")
    }
    guard !configuration.isProtected else {
      throw MediaError(
        .contentProtected,
        "The \(track.kind.rawValue) track is encrypted. Play it in the shop's own program, or get a copy without protection."
      )
    }
    let parameters = configuration.parameters
    let codec = device?.decoder(for: parameters.pointee.codec_id) ?? avcodec_find_decoder(parameters.pointee.codec_id)
    guard let codec else { throw Self.missing(configuration.codecName) }
    guard let context = avcodec_alloc_context3(codec) else { throw .outOfMemory }
    self.context = context
    self.configuration = configuration
    name = String(c: codec.pointee.name) ?? configuration.codecName
    context.pointee.pkt_timebase = configuration.timeBase
    context.pointee.framerate = configuration.frameRate
    let status = avcodec_parameters_to_context(context, parameters)
    guard status >= 0 else { throw Self.openFailure(name, status) }
    context.pointee.pkt_timebase = configuration.timeBase
    context.pointee.max_pixels = MemoryLimit.pixels
    context.pointee.opaque = complaints.pointer
    prepare(context, codec)
    if let device, !device.attach(to: context, codec: codec) {
      throw Self.openFailure("\(device.name) \(name)", Int32(FF_ERROR_DECODER_NOT_FOUND))
    }
    let opened = avcodec_open2(context, codec, nil)
    guard opened >= 0 else { throw Self.openFailure(name, opened) }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  private static func openFailure(_ name: String, _ status: Int32) -> MediaError {
    MediaError(
      .decoderOpenFailed,
      "The decoder \(name) does not take this track: its description is damaged or uses a variant that is not supported. Convert the media to another format.",
      status: status)
  }

  private static func missing(_ codec: String) -> MediaError {
    guard codec != "none", codec != "unknown_codec", codec != "unknown" else {
      return MediaError(
        .decoderMissing,
        "The track's codec is not known here. Convert the media to a common codec such as H.264 or AAC.")
    }
    return MediaError(
      .decoderMissing,
      "There is no decoder for \(codec). Install an FFmpeg that has one, or convert the media to a common codec such as H.264 or AAC."
    )
  }

  func decodeFailure(_ status: Int32) -> MediaError {
    MediaError(.decodeFailed, "A part of the \(name) stream is damaged and was left out.", status: status)
  }
}
