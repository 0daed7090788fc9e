import CFFmpeg
import CoreMedia
import CoreVideo
import Foundation
import MediaEngine

/// Apple's description of a track's samples, made without decoding.
enum FormatDescriptions {
  static func make(_ track: MediaTrack, _ parameters: AVCodecParameters) -> CMFormatDescription? {
    switch track.kind {
    case .video: video(track, parameters)
    case .audio: audio(track, parameters)
    case .subtitle: other(.subtitle, track)
    case .closedCaption: other(.closedCaption, track)
    case .text: other(.text, track)
    case .timecode: other(.timeCode, track)
    case .metadata: other(.metadata, track)
    }
  }

  private static func other(_ type: CMFormatDescription.MediaType, _ track: MediaTrack) -> CMFormatDescription? {
    try? CMFormatDescription(mediaType: type, mediaSubType: .init(rawValue: track.codec.fourCC))
  }

  private static func video(_ track: MediaTrack, _ parameters: AVCodecParameters) -> CMFormatDescription? {
    guard let format = track.video else { return nil }
    var values: [String: Any] = [:]
    func set(_ key: CFString, _ value: Any?) {
      if let value { values[key] = value }
    }
    let configuration = DescriptionBuilder.extradata(parameters)
    if let atom = configurationBox(parameters.codec_id), !configuration.isEmpty, configuration.first != 0 {
      values[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] = [atom: Data(configuration)]
    }
    let color = format.color
    set(
      kCMFormatDescriptionExtension_ColorPrimaries,
      CVColorPrimariesGetStringForIntegerCodePoint(Int32(clamping: color.primaries)))
    set(
      kCMFormatDescriptionExtension_TransferFunction,
      CVTransferFunctionGetStringForIntegerCodePoint(Int32(clamping: color.transfer)))
    set(
      kCMFormatDescriptionExtension_YCbCrMatrix,
      CVYCbCrMatrixGetStringForIntegerCodePoint(Int32(clamping: color.matrix)))
    if color.isFullRange { values[kCMFormatDescriptionExtension_FullRangeVideo] = NSNumber(value: true) }
    set(kCVImageBufferMasteringDisplayColorVolumeKey, color.masteringDisplay)
    set(kCVImageBufferContentLightLevelInfoKey, color.contentLightLevel)
    if format.pixelAspect.horizontal != format.pixelAspect.vertical {
      values[kCMFormatDescriptionExtension_PixelAspectRatio] = [
        kCVImageBufferPixelAspectRatioHorizontalSpacingKey: format.pixelAspect.horizontal,
        kCVImageBufferPixelAspectRatioVerticalSpacingKey: format.pixelAspect.vertical,
      ]
    }
    return try? CMFormatDescription(
      videoCodecType: .init(rawValue: track.codec.fourCC), width: format.width, height: format.height,
      extensions: CMFormatDescription.Extensions(base: values))
  }

  private static func configurationBox(_ codec: AVCodecID) -> String? {
    switch codec {
    case AV_CODEC_ID_H264: "avcC"
    case AV_CODEC_ID_HEVC: "hvcC"
    case AV_CODEC_ID_AV1: "av1C"
    case AV_CODEC_ID_VP9: "vpcC"
    case AV_CODEC_ID_MPEG4: "esds"
    default: nil
    }
  }

  private static func audio(_ track: MediaTrack, _ parameters: AVCodecParameters) -> CMFormatDescription? {
    guard let format = track.audio, format.sampleRate > 0, format.channelCount > 0 else { return nil }
    var stream = AudioStreamBasicDescription()
    stream.mSampleRate = Double(format.sampleRate)
    stream.mFormatID = track.codec.fourCC == code("mp4a") ? code("aac ") : track.codec.fourCC
    stream.mChannelsPerFrame = UInt32(clamping: format.channelCount)
    let bits = av_get_exact_bits_per_sample(parameters.codec_id)
    if bits > 0, bits % 8 == 0, isLinear(parameters.codec_id) {
      stream.mFormatID = kAudioFormatLinearPCM
      stream.mBitsPerChannel = UInt32(bits)
      stream.mBytesPerFrame = UInt32(clamping: Int(bits) / 8 * format.channelCount)
      stream.mFramesPerPacket = 1
      stream.mBytesPerPacket = stream.mBytesPerFrame
      stream.mFormatFlags = linearFlags(parameters.codec_id)
    } else {
      stream.mFramesPerPacket = UInt32(clamping: max(parameters.frame_size, 0))
      if track.codec.name == "aac" && stream.mFramesPerPacket == 0 { stream.mFramesPerPacket = 1_024 }
    }
    let layout: ManagedAudioChannelLayout? =
      format.channelMask > 0 && format.channelMask <= UInt64(UInt32.max)
      ? ManagedAudioChannelLayout(channelBitmap: AudioChannelBitmap(rawValue: UInt32(format.channelMask))) : nil
    let cookie = DescriptionBuilder.extradata(parameters)
    return try? CMFormatDescription(
      audioStreamBasicDescription: stream, layout: layout, magicCookie: cookie.isEmpty ? nil : Data(cookie))
  }

  private static func isLinear(_ codec: AVCodecID) -> Bool {
    (String(c: avcodec_get_name(codec)) ?? "").hasPrefix("pcm_")
      && codec != AV_CODEC_ID_PCM_ALAW && codec != AV_CODEC_ID_PCM_MULAW
  }

  /// Float 1, big-endian 2, signed 4, packed 8.
  private static func linearFlags(_ codec: AVCodecID) -> AudioFormatFlags {
    let name = String(c: avcodec_get_name(codec)) ?? ""
    var flags: AudioFormatFlags = 8
    if name.hasPrefix("pcm_f") { flags |= 1 } else if name.hasPrefix("pcm_s") { flags |= 4 }
    if name.contains("be") { flags |= 2 }
    return flags
  }
}
