/// A rational number of seconds, wide enough for any sum of times or product of a time and a ratio.
struct ExactTime {
  /// At most 127 bits.
  let numerator: Int128
  /// A further factor of the numerator, below 2^32, for products that exceed 127 bits.
  let factor: UInt64
  /// Positive.
  let denominator: UInt128

  init(numerator: Int128, factor: UInt64 = 1, denominator: UInt128) {
    self.numerator = numerator
    self.factor = factor
    self.denominator = denominator
  }

  /// - Parameter time: numeric, with a positive timescale.
  init(_ time: CMTime) {
    self.init(numerator: Int128(time.value), denominator: UInt128(time.timescale.magnitude))
  }

  var isNegative: Bool { numerator < 0 }

  /// The value in ticks of `1/scale` seconds; nil when it does not fit 64 bits.
  ///
  /// `.quickTime` has no meaning without the scale one comes from and counts as the default here.
  func value(at scale: CMTimeScale, _ method: CMTimeRoundingMethod) -> (value: CMTimeValue, isExact: Bool)? {
    guard let (wholeTicks, remainder) = quotientAndRemainder(at: scale) else { return nil }
    let roundsUp =
      switch method {
      case .roundHalfAwayFromZero, .quickTime: remainder >= denominator - remainder
      case .roundTowardZero: false
      case .roundAwayFromZero: true
      case .roundTowardPositiveInfinity: !isNegative
      case .roundTowardNegativeInfinity: isNegative
      }
    let limit = UInt128(CMTimeValue.min.magnitude)
    guard wholeTicks <= limit else { return nil }
    let quotient = remainder != 0 && roundsUp ? wholeTicks + 1 : wholeTicks
    guard let value = CMTimeValue(exactly: isNegative ? -Int128(quotient) : Int128(quotient)) else { return nil }
    return (value, remainder == 0)
  }

  /// Of the magnitude times `scale` divided by the denominator; nil when the quotient exceeds 128 bits.
  private func quotientAndRemainder(at scale: CMTimeScale) -> (UInt128, UInt128)? {
    let magnitude = numerator.magnitude
    let multiplier = UInt128(scale.magnitude) * UInt128(factor)
    if magnitude.leadingZeroBitCount + multiplier.leadingZeroBitCount >= 128 {
      return (magnitude &* multiplier).quotientAndRemainder(dividingBy: denominator)
    }
    let product = magnitude.multipliedFullWidth(by: multiplier)
    guard product.high < denominator else { return nil }
    return denominator.dividingFullWidth(product)
  }
}

extension CMTime {
  /// The time nearest to an exact one at `scale`, or, while its value overflows, at half the scale and so on;
  /// infinite when it overflows even in whole seconds.
  init(_ exact: ExactTime, scale: CMTimeScale, wasRounded: Bool, epoch: CMTimeEpoch) {
    var scale = scale
    while true {
      if let (value, isExact) = exact.value(at: scale, .default) {
        let rounded: CMTimeFlags = wasRounded || !isExact ? .hasBeenRounded : []
        self.init(value: value, timescale: scale, flags: [.valid, rounded], epoch: epoch)
        return
      }
      guard scale > 1 else {
        self = .infinity(negative: exact.isNegative)
        return
      }
      scale /= 2
    }
  }

  /// The least common multiple, or the largest timescale where it exceeds that.
  static func commonScale(_ left: CMTimeScale, _ right: CMTimeScale) -> CMTimeScale {
    if left == right { return left }
    let multiple = Int64(left) / Int64(greatestCommonDivisor(left.magnitude, right.magnitude)) * Int64(right)
    return CMTimeScale(exactly: multiple) ?? kCMTimeMaxTimescale
  }
}

/// Euclid's; of two zeros 1, so that nobody divides by zero.
func greatestCommonDivisor<Value: UnsignedInteger & FixedWidthInteger>(_ left: Value, _ right: Value) -> Value {
  var (left, right) = (left, right)
  while right != 0 { (left, right) = (right, left % right) }
  return max(left, 1)
}
