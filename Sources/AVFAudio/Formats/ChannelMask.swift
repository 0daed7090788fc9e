import CoreMedia

/// Apple's layouts and FFmpeg's masks, which agree with WAVE's bits and with Apple's bitmaps.
extension ManagedAudioChannelLayout {
  /// 0 when the order of the channels is none of a mask's.
  package var channelMask: UInt64 {
    switch tag {
    case kAudioChannelLayoutTag_UseChannelBitmap: return UInt64(channelBitmap.rawValue)
    case kAudioChannelLayoutTag_UseChannelDescriptions:
      let labels = channelDescriptions.map(\.mChannelLabel)
      // Left is 1 and the first bit, and so on to the eighteenth.
      guard labels.allSatisfy({ (1...18).contains($0) }), zip(labels, labels.dropFirst()).allSatisfy({ $0 < $1 })
      else { return 0 }
      return labels.reduce(0) { $0 | 1 << UInt64($1 - 1) }
    default: return Self.masks[tag] ?? 0
    }
  }

  /// The layout of a mask; nil when it has not so many channels.
  package init?(channelMask: UInt64, channelCount: Int) {
    guard channelMask.nonzeroBitCount == channelCount, let bits = UInt32(exactly: channelMask) else { return nil }
    if let tag = Self.tags[channelMask] {
      self.init(tag: tag)
    } else {
      self.init(channelBitmap: AudioChannelBitmap(rawValue: bits))
    }
  }

  private static let masks: [AudioChannelLayoutTag: UInt64] = [
    kAudioChannelLayoutTag_Mono: 0x4, kAudioChannelLayoutTag_Stereo: 0x3,
    kAudioChannelLayoutTag_StereoHeadphones: 0x3, kAudioChannelLayoutTag_Binaural: 0x3,
    kAudioChannelLayoutTag_MPEG_3_0_A: 0x7, kAudioChannelLayoutTag_DVD_4: 0xb,
    kAudioChannelLayoutTag_ITU_2_1: 0x103, kAudioChannelLayoutTag_Quadraphonic: 0x33,
    kAudioChannelLayoutTag_ITU_2_2: 0x33, kAudioChannelLayoutTag_MPEG_4_0_A: 0x107,
    kAudioChannelLayoutTag_MPEG_5_0_A: 0x37, kAudioChannelLayoutTag_WAVE_5_0_B: 0x607,
    kAudioChannelLayoutTag_MPEG_5_1_A: 0x3f, kAudioChannelLayoutTag_WAVE_5_1_B: 0x60f,
    kAudioChannelLayoutTag_MPEG_6_1_A: 0x13f, kAudioChannelLayoutTag_WAVE_7_1: 0x63f,
  ]

  private static let tags: [UInt64: AudioChannelLayoutTag] = [
    0x4: kAudioChannelLayoutTag_Mono, 0x3: kAudioChannelLayoutTag_Stereo, 0x7: kAudioChannelLayoutTag_MPEG_3_0_A,
    0x33: kAudioChannelLayoutTag_Quadraphonic, 0x37: kAudioChannelLayoutTag_MPEG_5_0_A,
    0x607: kAudioChannelLayoutTag_WAVE_5_0_B, 0x3f: kAudioChannelLayoutTag_MPEG_5_1_A,
    0x60f: kAudioChannelLayoutTag_WAVE_5_1_B, 0x13f: kAudioChannelLayoutTag_MPEG_6_1_A,
    0x63f: kAudioChannelLayoutTag_WAVE_7_1,
  ]
}
