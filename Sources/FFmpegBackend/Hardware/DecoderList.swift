import CFFmpeg

/// A decoder that the linked libavcodec has.
package struct DecoderInfo: Hashable, Sendable {
  package enum Kind: String, Sendable { case video, audio, subtitle }

  /// FFmpeg's name of the decoder, such as `h264_v4l2m2m`.
  package var name: String
  /// Of the codec, such as `h264`.
  package var codec: String
  package var summary: String
  package var kind: Kind
  /// The decoder itself is a device's.
  package var isHardware: Bool
  package var isExperimental: Bool
  /// Devices that can speed the software decoder up, such as `vaapi`.
  package var accelerators: [String]
}

extension FFmpegMediaBackend {
  /// All decoders, by kind, codec and name.
  package static func availableDecoders() -> [DecoderInfo] {
    var result: [DecoderInfo] = []
    var state: UnsafeMutableRawPointer?
    while let codec = av_codec_iterate(&state) {
      guard av_codec_is_decoder(codec) != 0, let kind = kind(codec.pointee.type),
        let name = String(c: codec.pointee.name)
      else { continue }
      let capabilities = codec.pointee.capabilities
      result.append(
        DecoderInfo(
          name: name, codec: String(c: avcodec_get_name(codec.pointee.id)) ?? name,
          summary: String(c: codec.pointee.long_name) ?? name, kind: kind,
          isHardware: Int64(capabilities) & Int64(AV_CODEC_CAP_HARDWARE) != 0 || name.hasSuffix("_v4l2m2m"),
          isExperimental: capabilities & AV_CODEC_CAP_EXPERIMENTAL != 0, accelerators: accelerators(codec)))
    }
    return result.sorted { ($0.kind.rawValue, $0.codec, $0.name) < ($1.kind.rawValue, $1.codec, $1.name) }
  }

  private static func kind(_ type: AVMediaType) -> DecoderInfo.Kind? {
    switch type {
    case AVMEDIA_TYPE_VIDEO: .video
    case AVMEDIA_TYPE_AUDIO: .audio
    case AVMEDIA_TYPE_SUBTITLE: .subtitle
    default: nil
    }
  }

  private static func accelerators(_ codec: UnsafePointer<AVCodec>) -> [String] {
    var names: Set<String> = []
    var index: Int32 = 0
    while let config = avcodec_get_hw_config(codec, index) {
      index += 1
      if let name = String(c: av_hwdevice_get_type_name(config.pointee.device_type)) { names.insert(name) }
    }
    return names.sorted()
  }
}
