/// A property of media by which tracks and options are chosen.
public struct AVMediaCharacteristic: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension AVMediaCharacteristic {
  public static let visual = Self(rawValue: "AVMediaCharacteristicVisual")
  public static let audible = Self(rawValue: "AVMediaCharacteristicAudible")
  public static let legible = Self(rawValue: "AVMediaCharacteristicLegible")
  public static let frameBased = Self(rawValue: "AVMediaCharacteristicFrameBased")
  public static let usesWideGamutColorSpace = Self(rawValue: "AVMediaCharacteristicUsesWideGamutColorSpace")
  public static let containsHDRVideo = Self(rawValue: "AVMediaCharacteristicContainsHDRVideo")
  public static let containsAlphaChannel = Self(rawValue: "AVMediaCharacteristicContainsAlphaChannel")
  public static let isMainProgramContent = Self(rawValue: "public.main-program-content")
  public static let isAuxiliaryContent = Self(rawValue: "public.auxiliary-content")
  public static let isOriginalContent = Self(rawValue: "public.original-content")
  public static let containsOnlyForcedSubtitles = Self(rawValue: "public.subtitles.forced-only")
  public static let transcribesSpokenDialogForAccessibility = Self(
    rawValue: "public.accessibility.transcribes-spoken-dialog")
  public static let describesMusicAndSoundForAccessibility = Self(
    rawValue: "public.accessibility.describes-music-and-sound")
  public static let describesVideoForAccessibility = Self(rawValue: "public.accessibility.describes-video")
  public static let enhancesSpeechIntelligibility = Self(
    rawValue: "public.accessibility.enhances-speech-intelligibility")
  public static let easyToRead = Self(rawValue: "public.easy-to-read")
  public static let languageTranslation = Self(rawValue: "public.translation")
  public static let dubbedTranslation = Self(rawValue: "public.translation.dubbed")
  public static let voiceOverTranslation = Self(rawValue: "public.translation.voice-over")
  public static let machineGenerated = Self(rawValue: "public.machine-generated")
}
