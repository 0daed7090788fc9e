public struct CVTimeFlags: OptionSet, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  public static let isIndefinite = CVTimeFlags(rawValue: 1)
}

/// A time as value and scale, without `CMTime`'s rules.
public struct CVTime: Sendable {
  public var timeValue: Int64
  public var timeScale: Int32
  public var flags: Int32

  public init() {
    self.init(timeValue: 0, timeScale: 0, flags: 0)
  }

  public init(timeValue: Int64, timeScale: Int32, flags: Int32) {
    self.timeValue = timeValue
    self.timeScale = timeScale
    self.flags = flags
  }
}

public let kCVZeroTime = CVTime()
public let kCVIndefiniteTime = CVTime(timeValue: 0, timeScale: 0, flags: CVTimeFlags.isIndefinite.rawValue)

/// A SMPTE time code.
public struct CVSMPTETime: Sendable {
  public var subframes: Int16 = 0
  public var subframeDivisor: Int16 = 0
  public var counter: UInt32 = 0
  public var type: UInt32 = 0
  public var flags: UInt32 = 0
  public var hours: Int16 = 0
  public var minutes: Int16 = 0
  public var seconds: Int16 = 0
  public var frames: Int16 = 0

  public init() {}
}

public struct CVTimeStampFlags: OptionSet, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  public static let videoTimeValid = CVTimeStampFlags(rawValue: 1 << 0)
  public static let hostTimeValid = CVTimeStampFlags(rawValue: 1 << 1)
  public static let smpteTimeValid = CVTimeStampFlags(rawValue: 1 << 2)
  public static let videoRefreshPeriodValid = CVTimeStampFlags(rawValue: 1 << 3)
  public static let rateScalarValid = CVTimeStampFlags(rawValue: 1 << 4)
  public static let topField = CVTimeStampFlags(rawValue: 1 << 16)
  public static let bottomField = CVTimeStampFlags(rawValue: 1 << 17)
  public static let videoHostTimeValid: CVTimeStampFlags = [.videoTimeValid, .hostTimeValid]
  public static let isInterlaced: CVTimeStampFlags = [.topField, .bottomField]
}

/// When a display shows a frame. `flags` says which fields mean something.
public struct CVTimeStamp: Sendable {
  public var version: UInt32 = 0
  public var videoTimeScale: Int32 = 0
  public var videoTime: Int64 = 0
  /// In ticks of the host clock.
  public var hostTime: UInt64 = 0
  public var rateScalar: Double = 0
  public var videoRefreshPeriod: Int64 = 0
  public var smpteTime = CVSMPTETime()
  public var flags: UInt64 = 0
  public var reserved: UInt64 = 0

  public init() {}

  public init(
    version: UInt32, videoTimeScale: Int32, videoTime: Int64, hostTime: UInt64, rateScalar: Double,
    videoRefreshPeriod: Int64, smpteTime: CVSMPTETime, flags: UInt64, reserved: UInt64
  ) {
    self.version = version
    self.videoTimeScale = videoTimeScale
    self.videoTime = videoTime
    self.hostTime = hostTime
    self.rateScalar = rateScalar
    self.videoRefreshPeriod = videoRefreshPeriod
    self.smpteTime = smpteTime
    self.flags = flags
    self.reserved = reserved
  }
}
