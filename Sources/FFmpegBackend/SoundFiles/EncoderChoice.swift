import CFFmpeg
import MediaEngine
import MediaRuntime

/// Which encoder and muxer make a file, and what they are told.
struct EncoderChoice {
  let encoder: String
  let muxer: String
  let sampleFormat: AVSampleFormat
  let samples: SampleFormat
  /// Bits that count of samples of 32; 0 for all.
  let rawBits: Int
  let bitRate: Int
  /// The coding's parameters stand in the container, not in the sound.
  let wantsGlobalHeader: Bool
  private let options: [(String, String)]

  init(_ format: SoundFileFormat) throws(MediaError) {
    var options: [(String, String)] = []
    var rawBits = 0
    var bitRate = 0
    let channels = max(format.channelCount, 1)
    func whole(_ bits: Int, planar: Bool) -> (AVSampleFormat, SampleFormat) {
      bits <= 16
        ? (planar ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S16, .int16)
        : (planar ? AV_SAMPLE_FMT_S32P : AV_SAMPLE_FMT_S32, .int32)
    }
    switch format.coding {
    case .linear: throw .writingUnsupported("Linear samples need no encoder.")
    case .flac(let bits):
      encoder = "flac"
      (sampleFormat, samples) = whole(bits, planar: false)
      rawBits = bits > 16 ? 24 : 16
    case .appleLossless(let bits):
      encoder = "alac"
      (sampleFormat, samples) = whole(bits, planar: true)
      rawBits = bits > 16 ? 24 : 16
    case .aac:
      encoder = "aac"
      (sampleFormat, samples) = (AV_SAMPLE_FMT_FLTP, .float32)
      // 128 kbit/s for two channels of 44,100 Hz.
      bitRate = format.bitRate ?? min(64_000, format.sampleRate * 2) * channels
    case .opus:
      encoder = "libopus"
      (sampleFormat, samples) = (AV_SAMPLE_FMT_FLT, .float32)
      bitRate = format.bitRate ?? 48_000 * channels
      options.append(("vbr", format.bitRateMode == .constant ? "off" : "on"))
    case .mp3:
      encoder = "libmp3lame"
      (sampleFormat, samples) = (AV_SAMPLE_FMT_FLTP, .float32)
      bitRate = format.bitRate ?? 64_000 * channels
      if format.bitRateMode == .variable { options.append(("abr", "1")) }
    }
    self.rawBits = rawBits
    self.bitRate = bitRate
    self.options = options
    switch (format.container, format.coding) {
    case (.flac, .flac): muxer = "flac"
    case (.ogg, .flac): muxer = "ogg"
    case (.ogg, .opus): muxer = "opus"
    case (.mpeg4, .aac), (.mpeg4, .appleLossless): muxer = "ipod"
    case (.mpeg4, .flac), (.mpeg4, .opus): muxer = "mp4"
    case (.adts, .aac): muxer = "adts"
    case (.mp3, .mp3): muxer = "mp3"
    case (.caf, .appleLossless): muxer = "caf"
    default: throw .writingUnsupported("Sound coded so can't stand in such a file.")
    }
    wantsGlobalHeader = format.container != .mp3
  }

  func setOptions(_ context: UnsafeMutablePointer<AVCodecContext>) {
    for (name, value) in options { av_opt_set(context.pointee.priv_data, name, value, 0) }
  }
}
