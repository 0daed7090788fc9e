import CFFmpeg

/// Decides whether the header says all that decoders need, or packets must be looked at first
/// (`avformat_find_stream_info`, which costs a third of the time to the first picture).
enum StreamInfoPolicy {
  static func isHeaderEnough(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    let name = String(c: context.pointee.iformat?.pointee.name) ?? ""
    guard name.hasPrefix("mov,") || name.hasPrefix("matroska"), context.pointee.nb_streams > 0 else { return false }
    return (0..<Int(context.pointee.nb_streams)).allSatisfy { index in
      guard let stream = context.pointee.streams[index] else { return false }
      return isComplete(stream, isMovie: name.hasPrefix("mov,"))
    }
  }

  private static func isComplete(_ stream: UnsafeMutablePointer<AVStream>, isMovie: Bool) -> Bool {
    guard let parameters = stream.pointee.codecpar?.pointee else { return false }
    switch parameters.codec_type {
    case AVMEDIA_TYPE_VIDEO:
      if stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 { return true }
      return parameters.codec_id != AV_CODEC_ID_NONE && parameters.width > 0 && parameters.height > 0
        && isOrderKnown(parameters)
    case AVMEDIA_TYPE_AUDIO:
      guard parameters.codec_id != AV_CODEC_ID_NONE, parameters.sample_rate > 0, parameters.ch_layout.nb_channels > 0
      else { return false }
      return parameters.codec_id != AV_CODEC_ID_AAC || parameters.extradata_size >= 2
    default:
      return true
    }
  }

  /// Whether a decoder knows from the start how far pictures are reordered: if not, it would give the first ones
  /// out of order before it learns.
  private static func isOrderKnown(_ parameters: AVCodecParameters) -> Bool {
    switch parameters.codec_id {
    case AV_CODEC_ID_H264:
      guard let extradata = parameters.extradata, parameters.extradata_size > 0 else { return false }
      let bytes = Array(UnsafeBufferPointer(start: extradata, count: min(Int(parameters.extradata_size), 4_096)))
      return VideoParameters.h264(bytes)?.reorderDepth != nil
    case AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG4:
      return parameters.extradata_size > 0
    case AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_PRORES,
      AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_FFV1, AV_CODEC_ID_DNXHD, AV_CODEC_ID_QTRLE, AV_CODEC_ID_H263:
      return true
    default:
      return false
    }
  }
}
