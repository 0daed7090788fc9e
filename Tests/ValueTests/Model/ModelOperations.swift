import CoreMedia

extension ModelTime {
  static func sum(_ left: CMTime, _ right: CMTime, subtracts: Bool) -> ModelTime {
    let sign: Int64 = subtracts ? -1 : 1
    switch (ModelTime(left), ModelTime(right)) {
    case (.invalid, _), (_, .invalid): return .invalid
    case (.infinity(let a), .infinity(let b)): return a == (b != subtracts) ? .infinity(isNegative: a) : .invalid
    case (.infinity(let a), _): return .infinity(isNegative: a)
    case (_, .infinity(let b)): return .infinity(isNegative: b != subtracts)
    case (.indefinite, _), (_, .indefinite): return .indefinite
    case (.number(let v1, let s1, let e1, let r1), .number(let v2, let s2, let e2, let r2)):
      if e1 != 0 && e2 != 0 && e1 != e2 { return .invalid }
      let epoch = e1 == e2 ? 0 : e1 == 0 ? e2 : e1
      let numerator =
        BigInteger(v1) * BigInteger(s2) + BigInteger(v2) * BigInteger(s1) * BigInteger(sign)
      let exact = ModelSeconds(numerator: numerator, divisors: [UInt64(s1), UInt64(s2)])
      return exact.time(scale: leastCommonMultiple(s1, s2), epoch: epoch, isRounded: r1 || r2)
    }
  }

  /// Of positive numbers; the largest timescale when it exceeds that.
  static func leastCommonMultiple(_ left: Int32, _ right: Int32) -> Int32 {
    var (a, b) = (Int64(left), Int64(right))
    while b != 0 { (a, b) = (b, a % b) }
    return Int32(exactly: Int64(left) / a * Int64(right)) ?? .max
  }

  static func compare(_ left: CMTime, _ right: CMTime) -> Int {
    func rank(_ time: ModelTime) -> Int {
      switch time {
      case .infinity(isNegative: true): 0
      case .number: 1
      case .indefinite: 2
      case .infinity(isNegative: false): 3
      case .invalid: 4
      }
    }
    let (a, b) = (ModelTime(left), ModelTime(right))
    guard case .number(let v1, let s1, let e1, _) = a, case .number(let v2, let s2, let e2, _) = b else {
      return (rank(a) - rank(b)).signum()
    }
    if e1 != e2 { return e1 < e2 ? -1 : 1 }
    return ModelSeconds.order(ModelSeconds(value: v1, timescale: s1), ModelSeconds(value: v2, timescale: s2))
  }

  static func convert(_ time: CMTime, _ scale: Int32, _ method: CMTimeRoundingMethod) -> ModelTime {
    let model = ModelTime(time)
    guard case .number(let value, let oldScale, let epoch, let isRounded) = model else { return model }
    guard scale > 0 else { return .invalid }
    var method = method
    let isQuickTime = method == .quickTime
    if isQuickTime { method = scale < oldScale ? .roundTowardZero : .roundAwayFromZero }
    var (ticks, isExact) = ModelSeconds(value: value, timescale: oldScale).ticks(scale, method)
    if isQuickTime && value < 0 && ticks.signum == 0 { ticks = BigInteger(-1) }
    guard let newValue = ticks.int64 else { return .infinity(isNegative: value < 0) }
    isExact = isExact && !isRounded
    return .number(value: newValue, timescale: scale, epoch: epoch, isRounded: !isExact)
  }

  static func multiply(_ time: CMTime, _ multiplier: Int32) -> ModelTime {
    switch ModelTime(time) {
    case .infinity(let isNegative): return .infinity(isNegative: isNegative != (multiplier < 0))
    case .number(let value, let scale, let epoch, let isRounded):
      return ModelSeconds(numerator: BigInteger(value) * BigInteger(multiplier), divisors: [UInt64(scale)])
        .time(scale: scale, epoch: epoch, isRounded: isRounded)
    case let other: return other
    }
  }

  static func multiply(_ time: CMTime, _ multiplier: Double) -> ModelTime {
    let model = ModelTime(time)
    if multiplier.isNaN { return .invalid }
    switch model {
    case .infinity(let isNegative): return .infinity(isNegative: isNegative != (multiplier < 0))
    case .number(let value, let scale, let epoch, let isRounded):
      if multiplier.isInfinite {
        return value == 0 ? .invalid : .infinity(isNegative: (value < 0) != (multiplier < 0))
      }
      var newScale = scale
      while newScale < 65536 { newScale *= 2 }
      return exactProduct(value, scale, multiplier).time(scale: newScale, epoch: epoch, isRounded: isRounded)
    case let other: return other
    }
  }

  /// A finite `Double` is its significand, taken as a whole number, times a power of two.
  private static func exactProduct(_ value: Int64, _ scale: Int32, _ multiplier: Double) -> ModelSeconds {
    let isSubnormal = multiplier.exponentBitPattern == 0
    let significand = multiplier.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
    let exponent = Int(isSubnormal ? 1 : multiplier.exponentBitPattern) - 1075
    let signed = BigInteger(value) * BigInteger(significand)
    let numerator = multiplier.sign == .minus ? -signed : signed
    if exponent >= 0 {
      return ModelSeconds(numerator: numerator * .powerOfTwo(exponent), divisors: [UInt64(scale)])
    }
    var divisors = [UInt64(scale)]
    var left = -exponent
    while left > 0 {
      divisors.append(1 << UInt64(min(left, 63)))
      left -= 63
    }
    return ModelSeconds(numerator: numerator, divisors: divisors)
  }

  static func absolute(_ time: CMTime) -> ModelTime {
    switch ModelTime(time) {
    case .infinity: return .infinity(isNegative: false)
    case .number(let value, let scale, let epoch, let isRounded):
      return ModelSeconds(numerator: BigInteger(value).magnitude, divisors: [UInt64(scale)])
        .time(scale: scale, epoch: epoch, isRounded: isRounded)
    case let other: return other
    }
  }
}
