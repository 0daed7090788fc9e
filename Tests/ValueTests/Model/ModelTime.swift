import CoreMedia

/// What an operation on times must give, by the rules alone.
enum ModelTime: Equatable {
  case invalid
  case indefinite
  case infinity(isNegative: Bool)
  case number(value: Int64, timescale: Int32, epoch: Int64, isRounded: Bool)

  /// A numeric time without a positive timescale counts as invalid.
  init(_ time: CMTime) {
    let flags = time.flags.rawValue
    if flags & 1 == 0 {
      self = .invalid
    } else if flags & 4 != 0 {
      self = .infinity(isNegative: false)
    } else if flags & 8 != 0 {
      self = .infinity(isNegative: true)
    } else if flags & 16 != 0 {
      self = .indefinite
    } else if time.timescale <= 0 {
      self = .invalid
    } else {
      self = .number(
        value: time.value, timescale: time.timescale, epoch: time.epoch, isRounded: flags & 2 != 0)
    }
  }
}

/// A number of seconds: `numerator` over the product of `divisors`, all positive.
struct ModelSeconds {
  var numerator: BigInteger
  var divisors: [UInt64]

  var denominator: BigInteger { divisors.reduce(BigInteger(1)) { $0 * BigInteger($1) } }

  init(numerator: BigInteger, divisors: [UInt64]) {
    self.numerator = numerator
    self.divisors = divisors
  }

  init(value: Int64, timescale: Int32) {
    self.init(numerator: BigInteger(value), divisors: [UInt64(timescale)])
  }

  /// Ticks at a scale, as Apple's methods round them, and whether that is exact.
  func ticks(_ scale: Int32, _ method: CMTimeRoundingMethod) -> (value: BigInteger, isExact: Bool) {
    let scaled = numerator * BigInteger(scale)
    let whole = divisors.reduce(scaled.magnitude) { $0.divided(by: $1) }
    let rest = scaled.magnitude - whole * denominator
    let isNegative = scaled.signum < 0
    let roundsUp =
      switch method {
      case .roundHalfAwayFromZero, .quickTime: rest + rest >= denominator
      case .roundTowardZero: false
      case .roundAwayFromZero: rest.signum > 0
      case .roundTowardPositiveInfinity: rest.signum > 0 && !isNegative
      case .roundTowardNegativeInfinity: rest.signum > 0 && isNegative
      }
    let magnitude = roundsUp ? whole + BigInteger(1) : whole
    return (isNegative ? -magnitude : magnitude, rest.signum == 0)
  }

  /// Rounded at a scale, or at half of it and so on while the value overflows.
  func time(scale: Int32, epoch: Int64, isRounded: Bool) -> ModelTime {
    var scale = scale
    while true {
      let (value, isExact) = ticks(scale, .roundHalfAwayFromZero)
      if let value = value.int64 {
        return .number(value: value, timescale: scale, epoch: epoch, isRounded: isRounded || !isExact)
      }
      if scale == 1 { return .infinity(isNegative: numerator.signum < 0) }
      scale /= 2
    }
  }

  /// Compared without regard to how they are written.
  static func order(_ left: ModelSeconds, _ right: ModelSeconds) -> Int {
    (left.numerator * right.denominator - right.numerator * left.denominator).signum
  }
}
