public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32
public typealias CMTimeEpoch = Int64

/// The largest timescale.
public let kCMTimeMaxTimescale: CMTimeScale = 0x7fff_ffff

/// A point or stretch of time as a rational number: `value / timescale` seconds.
///
/// All zero bits are the invalid time.
public struct CMTime: Sendable {
  public var value: CMTimeValue
  /// Ticks per second, positive.
  public var timescale: CMTimeScale
  public var flags: CMTimeFlags
  /// Tells apart rounds of a loop or streams joined together; times of different epochs have no known distance.
  public var epoch: CMTimeEpoch

  /// The invalid time.
  public init() {
    value = 0
    timescale = 0
    flags = []
    epoch = 0
  }

  /// All fields as they are, unchecked.
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// A numeric time in epoch 0; invalid when `timescale` is not positive.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self = CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
  }

  public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)
  public static let invalid = CMTime()
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
}

extension CMTime {
  public var isValid: Bool { flags.contains(.valid) }
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  /// Valid, and a number of seconds: neither infinite nor indefinite.
  public var isNumeric: Bool { flags.intersection([.valid, .impliedValueFlagsMask]) == .valid }
  /// True when some operation could not keep the exact value.
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

  /// The time in seconds: NaN when invalid or indefinite, infinite when infinite. The epoch is ignored.
  public var seconds: Double {
    switch kind {
    case .numeric, .malformed: Double(value) / Double(timescale)
    case .positiveInfinity: .infinity
    case .negativeInfinity: -.infinity
    case .indefinite, .invalid: .nan
    }
  }
}
