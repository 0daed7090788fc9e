import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime

/// What a file is to be, by its name and an app's settings.
extension SoundFileFormat {
  /// - Throws: `writingUnsupported`.
  init(url: URL, settings values: [String: Any]) throws(MediaError) {
    let settings = AudioSettings(values)
    let name = url.pathExtension.lowercased()
    guard var container = settings.fileType.map(Self.container(type:)) ?? Self.container(pathExtension: name) else {
      throw .writingUnsupported(
        name.isEmpty
          ? "The file's name has no ending that says what it is to be (wav, caf, aiff, flac, m4a, opus)."
          : "Files with the ending “\(name)” can't be written (wav, caf, aiff, flac, m4a, opus can).")
    }
    let rate = settings.sampleRate ?? 44_100
    let channels = settings.channelCount ?? settings.layout?.channelCount ?? 2
    guard let wholeRate = Int(exactly: rate), AudioFormat.sampleRates.contains(wholeRate), (1...512).contains(channels)
    else { throw .writingUnsupported("Sound of \(rate) Hz in \(channels) channels can't be written.") }
    let layout = settings.layout.flatMap { $0.channelCount == channels ? $0 : nil }
    if channels > 2, layout == nil, values[AVChannelLayoutKey] != nil {
      throw .writingUnsupported("The channel layout has not \(channels) channels.")
    }
    let coding = try Self.coding(settings, &container)
    self.init(
      container: container, coding: coding, sampleRate: wholeRate, channelCount: channels,
      channelMask: layout?.channelMask ?? Self.usualMask(channels))
    bitRate = settings.bitRate ?? settings.bitRatePerChannel.map { $0.multipliedClamping(by: channels) }
    if let wish = bitRate, !(1_000...10_000_000).contains(wish) {
      throw .writingUnsupported("No encoder makes \(wish) bits a second.")
    }
    if bitRate == nil, let quality = settings.quality { bitRate = Self.bitRate(quality, coding, wholeRate, channels) }
    switch settings.bitRateStrategy {
    case AVAudioBitRateStrategy_Constant: bitRateMode = .constant
    case AVAudioBitRateStrategy_Variable, AVAudioBitRateStrategy_VariableConstrained,
      AVAudioBitRateStrategy_LongTermAverage:
      bitRateMode = .variable
    default: break
    }
  }

  /// Linear samples as a format's, whatever rate and channels it has.
  init(url: URL, format: AVAudioFormat) throws(MediaError) {
    try self.init(url: url, settings: format.settings)
  }

  private static func container(pathExtension: String) -> Container? {
    switch pathExtension {
    case "wav", "wave", "bwf": .wave
    case "aif", "aiff": .aiff
    case "aifc": .aifc
    case "caf": .caf
    case "flac": .flac
    case "m4a", "m4b", "m4r", "mp4": .mpeg4
    case "ogg", "oga", "opus": .ogg
    case "aac", "adts": .adts
    case "mp3": .mp3
    default: nil
    }
  }

  /// Apple's file types as four characters.
  private static func container(type: UInt32) -> Container? {
    switch FourCharCode(type).characters {
    case "WAVE", "BW64", "RF64": .wave
    case "AIFF": .aiff
    case "AIFC": .aifc
    case "caff": .caf
    case "flac": .flac
    case "m4af", "mp4f", "m4bf": .mpeg4
    case "Oggf": .ogg
    case "adts": .adts
    case "MPG3": .mp3
    default: nil
    }
  }

  /// What the file has by itself when the settings do not say.
  private static func coding(_ settings: AudioSettings, _ container: inout Container) throws(MediaError) -> Coding {
    let usual: AudioFormatID =
      switch container {
      case .wave, .aiff, .aifc, .caf: kAudioFormatLinearPCM
      case .flac: kAudioFormatFLAC
      case .mpeg4, .adts: kAudioFormatMPEG4AAC
      case .ogg: kAudioFormatOpus
      case .mp3: kAudioFormatMPEGLayer3
      }
    let id = settings.formatID ?? usual
    let lossless = (settings.bitDepthHint ?? settings.bitDepth ?? 16) > 16 ? 24 : 16
    let coding: Coding? =
      switch id {
      case kAudioFormatLinearPCM: try .linear(linear(settings, &container))
      case kAudioFormatFLAC: .flac(bits: lossless)
      case kAudioFormatAppleLossless: .appleLossless(bits: lossless)
      case kAudioFormatMPEG4AAC: .aac
      case kAudioFormatOpus: .opus
      case kAudioFormatMPEGLayer3: .mp3
      default: nil
      }
    let text = FourCharCode(id).characters
    guard let coding else { throw .writingUnsupported("There is no encoder for the format “\(text)”.") }
    guard container.holds(coding) else {
      throw .writingUnsupported("Sound of the format “\(text)” can't stand in such a file.")
    }
    return coding
  }

  /// The order of bytes is the container's where it has only one, and so is whether samples of 8 bits have a sign.
  private static func linear(_ settings: AudioSettings, _ container: inout Container) throws(MediaError) -> SampleFormat
  {
    let isFloat = settings.isFloat ?? false
    let bits = settings.bitDepth ?? (isFloat ? 32 : 16)
    if container == .aiff, isFloat { container = .aifc }
    let isBigEndian =
      switch container {
      case .wave: false
      case .aiff: true
      case .aifc where isFloat || bits != 16: true
      case .aifc: settings.isBigEndian ?? true
      default: settings.isBigEndian ?? false
      }
    let kind: SampleFormat.Kind = isFloat ? .float : bits == 8 && container == .wave ? .unsigned : .signed
    guard let format = SampleFormat(kind, bits: bits, isBigEndian: isBigEndian) else {
      throw .writingUnsupported("Linear samples of \(bits) bits can't be written.")
    }
    return format
  }

  /// WAVE's own order of so many channels, as FFmpeg has it; 0 where there is none.
  private static func usualMask(_ channels: Int) -> UInt64 {
    let masks: [UInt64] = [0x4, 0x3, 0xb, 0x107, 0x37, 0x3f, 0x70f, 0x63f]
    return masks.indices.contains(channels - 1) ? masks[channels - 1] : 0
  }

  /// Bits per second of a quality from 0 to 127, for codings that lose.
  private static func bitRate(_ quality: Int, _ coding: Coding, _ rate: Int, _ channels: Int) -> Int? {
    let perChannel =
      switch quality {
      case ..<0x20: 32_000
      case ..<0x40: 48_000
      case ..<0x60: 64_000
      case ..<0x7f: 96_000
      default: 128_000
      }
    switch coding {
    case .aac, .mp3, .opus: return min(perChannel, rate * 4) * channels
    default: return nil
    }
  }
}

extension SoundFileFormat.Container {
  func holds(_ coding: SoundFileFormat.Coding) -> Bool {
    switch (self, coding) {
    case (.wave, .linear), (.aiff, .linear), (.aifc, .linear), (.caf, .linear): true
    case (.caf, .appleLossless), (.flac, .flac), (.ogg, .flac), (.ogg, .opus): true
    case (.mpeg4, .aac), (.mpeg4, .appleLossless), (.mpeg4, .flac), (.mpeg4, .opus): true
    case (.adts, .aac), (.mp3, .mp3): true
    default: false
    }
  }
}

extension SoundFileFormat {
  /// The file's format in Apple's words.
  var audioFormat: AVAudioFormat {
    var stream = AudioStreamBasicDescription()
    switch coding {
    case .linear(let samples):
      stream = .linearPCM(
        sampleRate: Double(sampleRate), channels: UInt32(channelCount), bytes: UInt32(samples.byteCount),
        isFloat: samples.kind == .float)
      if samples.kind == .unsigned { stream.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger }
      if samples.isBigEndian { stream.mFormatFlags |= kAudioFormatFlagIsBigEndian }
    case .flac(let bits): stream.set(kAudioFormatFLAC, bits, 4_096)
    case .appleLossless(let bits): stream.set(kAudioFormatAppleLossless, bits, 4_096)
    case .aac: stream.set(kAudioFormatMPEG4AAC, 0, 1_024)
    case .opus: stream.set(kAudioFormatOpus, 0, UInt32(sampleRate / 50))
    case .mp3: stream.set(kAudioFormatMPEGLayer3, 0, 1_152)
    }
    stream.mSampleRate = Double(sampleRate)
    stream.mChannelsPerFrame = UInt32(channelCount)
    return AVAudioFormat(known: stream, layout, nil)
  }

  /// What the channels are for; as many in order where that is not known.
  var layout: AVAudioChannelLayout? {
    if let known = ManagedAudioChannelLayout(channelMask: channelMask, channelCount: channelCount) {
      return AVAudioChannelLayout(known)
    }
    let tag = kAudioChannelLayoutTag_DiscreteInOrder | AudioChannelLayoutTag(channelCount)
    return channelCount > 2 ? AVAudioChannelLayout(ManagedAudioChannelLayout(tag: tag)) : nil
  }
}

extension AudioStreamBasicDescription {
  /// Whole numbers of 16 or 24 bits came in, as ALAC's and FLAC's flags say.
  fileprivate mutating func set(_ id: AudioFormatID, _ bits: Int, _ frames: UInt32) {
    mFormatID = id
    mFramesPerPacket = frames
    mFormatFlags =
      switch bits {
      case 0: 0
      case ...16: kAppleLosslessFormatFlag_16BitSourceData
      default: kAppleLosslessFormatFlag_24BitSourceData
      }
  }
}

extension Int {
  fileprivate func multipliedClamping(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
