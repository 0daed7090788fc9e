public struct SMPTETimeType: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public struct SMPTETimeFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let valid = SMPTETimeFlags(rawValue: 1)
  public static let running = SMPTETimeFlags(rawValue: 2)
}

/// A time code of film and television.
public struct SMPTETime: Hashable, Sendable {
  public var mSubframes: Int16
  public var mSubframeDivisor: Int16
  public var mCounter: UInt32
  public var mType: SMPTETimeType
  public var mFlags: SMPTETimeFlags
  public var mHours: Int16
  public var mMinutes: Int16
  public var mSeconds: Int16
  public var mFrames: Int16

  public init() {
    self.init(
      mSubframes: 0, mSubframeDivisor: 0, mCounter: 0, mType: SMPTETimeType(rawValue: 0), mFlags: [], mHours: 0,
      mMinutes: 0, mSeconds: 0, mFrames: 0)
  }

  public init(
    mSubframes: Int16, mSubframeDivisor: Int16, mCounter: UInt32, mType: SMPTETimeType, mFlags: SMPTETimeFlags,
    mHours: Int16, mMinutes: Int16, mSeconds: Int16, mFrames: Int16
  ) {
    self.mSubframes = mSubframes
    self.mSubframeDivisor = mSubframeDivisor
    self.mCounter = mCounter
    self.mType = mType
    self.mFlags = mFlags
    self.mHours = mHours
    self.mMinutes = mMinutes
    self.mSeconds = mSeconds
    self.mFrames = mFrames
  }
}

/// Which fields of a time stamp count.
public struct AudioTimeStampFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let sampleTimeValid = AudioTimeStampFlags(rawValue: 1 << 0)
  public static let hostTimeValid = AudioTimeStampFlags(rawValue: 1 << 1)
  public static let rateScalarValid = AudioTimeStampFlags(rawValue: 1 << 2)
  public static let wordClockTimeValid = AudioTimeStampFlags(rawValue: 1 << 3)
  public static let smpteTimeValid = AudioTimeStampFlags(rawValue: 1 << 4)
  public static let sampleHostTimeValid: AudioTimeStampFlags = [.sampleTimeValid, .hostTimeValid]
}

/// A moment by several clocks; `mFlags` says which of them.
public struct AudioTimeStamp: Hashable, Sendable {
  public var mSampleTime: Double
  /// In the host clock's units, which are nanoseconds.
  public var mHostTime: UInt64
  public var mRateScalar: Double
  public var mWordClockTime: UInt64
  public var mSMPTETime: SMPTETime
  public var mFlags: AudioTimeStampFlags
  public var mReserved: UInt32

  public init() {
    self.init(
      mSampleTime: 0, mHostTime: 0, mRateScalar: 0, mWordClockTime: 0, mSMPTETime: SMPTETime(), mFlags: [],
      mReserved: 0)
  }

  public init(
    mSampleTime: Double, mHostTime: UInt64, mRateScalar: Double, mWordClockTime: UInt64, mSMPTETime: SMPTETime,
    mFlags: AudioTimeStampFlags, mReserved: UInt32
  ) {
    self.mSampleTime = mSampleTime
    self.mHostTime = mHostTime
    self.mRateScalar = mRateScalar
    self.mWordClockTime = mWordClockTime
    self.mSMPTETime = mSMPTETime
    self.mFlags = mFlags
    self.mReserved = mReserved
  }
}
