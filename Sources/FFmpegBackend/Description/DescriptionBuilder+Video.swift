import CFFmpeg
import CoreMedia
import Foundation
import MediaEngine

extension DescriptionBuilder {
  func videoFormat(_ stream: AVStream, _ parameters: AVCodecParameters, box: MovieTrackBox?, range: CMTimeRange)
    -> VideoFormat
  {
    var format = VideoFormat(width: Int(max(parameters.width, 0)), height: Int(max(parameters.height, 0)))
    format.color = ColorDescription(parameters)
    let header = VideoParameters.read(parameters.codec_id, Self.extradata(parameters))
    if format.width == 0 || format.height == 0, let size = header?.size { (format.width, format.height) = size }
    format.color.fill(from: header)
    if stream.sample_aspect_ratio.isPositive {
      format.pixelAspect = (Int(stream.sample_aspect_ratio.num), Int(stream.sample_aspect_ratio.den))
    } else if parameters.sample_aspect_ratio.isPositive {
      format.pixelAspect = (Int(parameters.sample_aspect_ratio.num), Int(parameters.sample_aspect_ratio.den))
    } else if let aspect = header?.pixelAspect {
      format.pixelAspect = aspect
    }
    readSideData(stream, into: &format)
    format.nominalFrameRate = frameRate(stream, box: box, range: range)
    if let delta = box?.shortestSample, delta > 0, let scale = Int32(exactly: box?.timescale ?? 0), scale > 0 {
      format.minFrameDuration = CMTime(value: delta, timescale: scale)
    } else if stream.avg_frame_rate.isPositive {
      format.minFrameDuration = CMTime(
        value: Int64(stream.avg_frame_rate.den), timescale: stream.avg_frame_rate.num)
    }
    format.hasReorderedFrames = parameters.video_delay > 0 || (header?.reorderDepth ?? 0) > 0
    format.bitDepth = header?.bitDepth ?? Self.bitDepth(parameters)
    return format
  }

  static func extradata(_ parameters: AVCodecParameters) -> [UInt8] {
    guard let bytes = parameters.extradata, parameters.extradata_size > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: min(Int(parameters.extradata_size), 1 << 20)))
  }

  /// 0 for what no film has.
  private func frameRate(_ stream: AVStream, box: MovieTrackBox?, range: CMTimeRange) -> Double {
    let stated = statedFrameRate(stream, box: box)
    return VideoFormat.frameRates.contains(stated) ? stated : 0
  }

  private func statedFrameRate(_ stream: AVStream, box: MovieTrackBox?) -> Double {
    if let box, box.sampleCount > 0, let ticks = box.sampleDuration, ticks > 0, box.timescale > 0 {
      return Double(box.sampleCount) * Double(box.timescale) / Double(ticks)
    }
    if stream.avg_frame_rate.isPositive { return stream.avg_frame_rate.double }
    return stream.r_frame_rate.isPositive ? stream.r_frame_rate.double : 0
  }

  private static func bitDepth(_ parameters: AVCodecParameters) -> Int {
    if parameters.bits_per_raw_sample > 0, parameters.bits_per_raw_sample <= 16 {
      return Int(parameters.bits_per_raw_sample)
    }
    guard let layout = av_pix_fmt_desc_get(AVPixelFormat(parameters.format)) else { return 8 }
    return Int(layout.pointee.comp.0.depth)
  }

  private func readSideData(_ stream: AVStream, into format: inout VideoFormat) {
    for index in 0..<Int(max(stream.nb_side_data, 0)) {
      guard let side = stream.side_data?[index], let data = side.data else { continue }
      let raw = UnsafeRawPointer(data)
      switch side.type {
      case AV_PKT_DATA_DISPLAYMATRIX where side.size >= 36:
        format.transform = DisplayTransform.transform(
          raw.assumingMemoryBound(to: Int32.self), width: format.width, height: format.height, isMovie: isMovie)
      case AV_PKT_DATA_MASTERING_DISPLAY_METADATA where side.size >= MemoryLayout<AVMasteringDisplayMetadata>.size:
        format.color.masteringDisplay = HDRPayload.masteringDisplay(raw.load(as: AVMasteringDisplayMetadata.self))
      case AV_PKT_DATA_CONTENT_LIGHT_LEVEL where side.size >= MemoryLayout<AVContentLightMetadata>.size:
        format.color.contentLightLevel = HDRPayload.contentLightLevel(raw.load(as: AVContentLightMetadata.self))
      default: break
      }
    }
  }
}

extension ColorDescription {
  /// What the codec's own header says where the container says nothing.
  mutating func fill(from parameters: VideoParameters?) {
    guard let parameters else { return }
    if primaries == 2, let value = parameters.primaries { primaries = value }
    if transfer == 2, let value = parameters.transfer { transfer = value }
    if matrix == 2, let value = parameters.matrix { matrix = value }
    if parameters.isFullRange == true { isFullRange = true }
    masteringDisplay = masteringDisplay ?? parameters.masteringDisplay
    contentLightLevel = contentLightLevel ?? parameters.contentLightLevel
  }
}

extension AudioFormat {
  init(_ parameters: AVCodecParameters) {
    let layout = parameters.ch_layout
    let rate = Int(parameters.sample_rate)
    let channels = Int(layout.nb_channels)
    self.init(
      sampleRate: Self.sampleRates.contains(rate) ? rate : 0,
      channelCount: Self.channelCounts.contains(channels) ? channels : 0,
      channelMask: layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0)
    bitDepth = (0...64).contains(parameters.bits_per_raw_sample) ? Int(parameters.bits_per_raw_sample) : 0
    if bitDepth == 0, av_get_exact_bits_per_sample(parameters.codec_id) > 0 {
      bitDepth = Int(av_get_exact_bits_per_sample(parameters.codec_id))
    }
  }

  /// What a decoded frame really has; nil when that is nothing that can be played.
  init?(_ frame: AVFrame, like stream: AudioFormat) {
    guard Self.sampleRates.contains(Int(frame.sample_rate)),
      Self.channelCounts.contains(Int(frame.ch_layout.nb_channels))
    else { return nil }
    self.init(
      sampleRate: Int(frame.sample_rate), channelCount: Int(frame.ch_layout.nb_channels),
      channelMask: frame.ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? frame.ch_layout.u.mask : 0)
    bitDepth = stream.bitDepth
    primingSamples = stream.primingSamples
    paddingSamples = stream.paddingSamples
  }
}
