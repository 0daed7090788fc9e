/// Speakers as bits.
public struct AudioChannelBitmap: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public static let bit_Left = AudioChannelBitmap(rawValue: 1 << 0)
  public static let bit_Right = AudioChannelBitmap(rawValue: 1 << 1)
  public static let bit_Center = AudioChannelBitmap(rawValue: 1 << 2)
  public static let bit_LFEScreen = AudioChannelBitmap(rawValue: 1 << 3)
  public static let bit_LeftSurround = AudioChannelBitmap(rawValue: 1 << 4)
  public static let bit_RightSurround = AudioChannelBitmap(rawValue: 1 << 5)
  public static let bit_LeftCenter = AudioChannelBitmap(rawValue: 1 << 6)
  public static let bit_RightCenter = AudioChannelBitmap(rawValue: 1 << 7)
  public static let bit_CenterSurround = AudioChannelBitmap(rawValue: 1 << 8)
  public static let bit_LeftSurroundDirect = AudioChannelBitmap(rawValue: 1 << 9)
  public static let bit_RightSurroundDirect = AudioChannelBitmap(rawValue: 1 << 10)
  public static let bit_TopCenterSurround = AudioChannelBitmap(rawValue: 1 << 11)
}

public struct AudioChannelFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public static let rectangularCoordinates = AudioChannelFlags(rawValue: 1 << 0)
  public static let sphericalCoordinates = AudioChannelFlags(rawValue: 1 << 1)
  public static let meters = AudioChannelFlags(rawValue: 1 << 2)
}

/// What one channel is, by label or by place.
public struct AudioChannelDescription: Sendable {
  public var mChannelLabel: AudioChannelLabel
  public var mChannelFlags: AudioChannelFlags
  public var mCoordinates: (Float, Float, Float)

  public init() {
    self.init(mChannelLabel: 0, mChannelFlags: [], mCoordinates: (0, 0, 0))
  }

  public init(mChannelLabel: AudioChannelLabel, mChannelFlags: AudioChannelFlags, mCoordinates: (Float, Float, Float)) {
    self.mChannelLabel = mChannelLabel
    self.mChannelFlags = mChannelFlags
    self.mCoordinates = mCoordinates
  }
}

/// The head of a channel layout: a tag, a bitmap or descriptions, of which more may follow in memory.
public struct AudioChannelLayout: Sendable {
  public var mChannelLayoutTag: AudioChannelLayoutTag
  public var mChannelBitmap: AudioChannelBitmap
  public var mNumberChannelDescriptions: UInt32
  public var mChannelDescriptions: AudioChannelDescription

  public init() {
    self.init(
      mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0,
      mChannelDescriptions: AudioChannelDescription())
  }

  public init(
    mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap, mNumberChannelDescriptions: UInt32,
    mChannelDescriptions: AudioChannelDescription
  ) {
    self.mChannelLayoutTag = mChannelLayoutTag
    self.mChannelBitmap = mChannelBitmap
    self.mNumberChannelDescriptions = mNumberChannelDescriptions
    self.mChannelDescriptions = mChannelDescriptions
  }

  static var descriptionsOffset: Int {
    MemoryLayout<AudioChannelLayout>.size - MemoryLayout<AudioChannelDescription>.size
  }
}
