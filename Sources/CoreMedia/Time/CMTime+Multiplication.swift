/// The product in the time's own timescale.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  guard time.kind == .numeric else { return product(ofKind: time.computingKind, negates: multiplier < 0) }
  let exact = ExactTime(
    numerator: Int128(time.value) * Int128(multiplier), denominator: UInt128(time.timescale.magnitude))
  return CMTime(exact, scale: time.timescale, wasRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// The product in the time's own timescale, doubled until it reaches 65536 (so the scale changes even for `1.0`).
///
/// The product of the exact multiplier is rounded once. NaN gives invalid; an infinite multiplier an infinite time.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
  guard time.kind == .numeric else {
    if multiplier.isNaN { return .invalid }
    return product(ofKind: time.computingKind, negates: multiplier < 0)
  }
  guard !multiplier.isNaN else { return .invalid }
  guard multiplier.isFinite else {
    return time.value == 0 ? .invalid : .infinity(negative: (multiplier < 0) != (time.value < 0))
  }
  var scale = time.timescale
  while scale < 65536 { scale *= 2 }
  guard multiplier != 0, time.value != 0 else {
    let flags: CMTimeFlags = time.hasBeenRounded ? [.valid, .hasBeenRounded] : .valid
    return CMTime(value: 0, timescale: scale, flags: flags, epoch: time.epoch)
  }
  return product(time, multiplier, scale)
}

private func product(_ time: CMTime, _ multiplier: Double, _ scale: CMTimeScale) -> CMTime {
  // multiplier = significand · 2^exponent with an odd significand of at most 53 bits.
  let lowestBit = multiplier.ulp
  var significand = UInt64((multiplier / lowestBit).magnitude)
  var exponent = Int(lowestBit.exponent)
  let trailingZeros = significand.trailingZeroBitCount
  significand >>= UInt64(trailingZeros)
  exponent += trailingZeros

  let isNegative = (multiplier < 0) != (time.value < 0)
  let magnitude = UInt128(time.value.magnitude) * UInt128(significand)
  let signed = isNegative ? -Int128(magnitude) : Int128(magnitude)
  if exponent >= 0 {
    // Beyond 127 bits the result exceeds 2^96 whole seconds whatever the timescale.
    guard magnitude.leadingZeroBitCount > exponent + 1 else { return .infinity(negative: isNegative) }
    let exact = ExactTime(numerator: signed << Int128(exponent), denominator: UInt128(time.timescale.magnitude))
    return CMTime(exact, scale: scale, wasRounded: time.hasBeenRounded, epoch: time.epoch)
  }
  if exponent >= -96 {
    let exact = ExactTime(
      numerator: signed, denominator: UInt128(time.timescale.magnitude) << UInt128(-exponent))
    return CMTime(exact, scale: scale, wasRounded: time.hasBeenRounded, epoch: time.epoch)
  }
  // The scale is the time's own shifted left, so that far down only powers of two divide; nothing overflows here.
  let growth = (scale / time.timescale).trailingZeroBitCount
  let exact = ExactTime(numerator: signed, denominator: UInt128(1) << UInt128(min(-exponent - growth, 126)))
  let value = exact.value(at: 1, .default)?.value ?? 0
  return CMTime(value: value, timescale: scale, flags: [.valid, .hasBeenRounded], epoch: time.epoch)
}

/// `time · multiplier / divisor`, exact where some timescale can hold it.
///
/// A zero divisor gives an infinite time, or an invalid one when time or multiplier are zero too.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
  guard time.kind == .numeric else {
    return product(ofKind: time.computingKind, negates: (multiplier < 0) != (divisor < 0))
  }
  let signed = Int128(time.value) * Int128(multiplier)
  guard divisor != 0 else { return signed == 0 ? .invalid : .infinity(negative: signed < 0) }
  let numerator = divisor < 0 ? -signed : signed
  let exact = ExactTime(
    numerator: numerator, denominator: UInt128(time.timescale.magnitude) * UInt128(divisor.magnitude))
  return CMTime(
    exact, scale: exact.scale(preferring: time.timescale), wasRounded: time.hasBeenRounded, epoch: time.epoch)
}

extension ExactTime {
  /// The least multiple of `scale` in which this time is a whole number; else its own denominator in lowest terms;
  /// else the largest timescale.
  func scale(preferring scale: CMTimeScale) -> CMTimeScale {
    let common = greatestCommonDivisor(numerator.magnitude, denominator)
    let reduced = denominator / common
    let lowest = reduced / greatestCommonDivisor(UInt128(factor), reduced)
    let multiple = lowest / greatestCommonDivisor(lowest, UInt128(scale.magnitude)) * UInt128(scale.magnitude)
    if let multiple = CMTimeScale(exactly: multiple), value(at: multiple, .default) != nil { return multiple }
    return CMTimeScale(exactly: lowest) ?? kCMTimeMaxTimescale
  }
}

/// Infinite times keep infinite, with the product of the signs; a multiplier of zero counts as positive.
private func product(ofKind kind: CMTime.Kind, negates: Bool) -> CMTime {
  switch kind {
  case .positiveInfinity: .infinity(negative: negates)
  case .negativeInfinity: .infinity(negative: !negates)
  case .indefinite: .indefinite
  case .numeric, .malformed, .invalid: .invalid
  }
}
