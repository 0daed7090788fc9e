/// The time itself inside the range, else the range's nearer end. Invalid for an empty range or a time without a place.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
  guard range.isValid, !range.isEmpty, time.computingKind != .invalid, time.kind != .indefinite else { return .invalid }
  if time < range.start { return range.start }
  return time > range.end ? range.end : time
}

/// Where a time of one range falls in another that runs beside it.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
  guard isMappable(fromRange), isMappable(toRange), t.isValid else { return .invalid }
  guard !t.isNumeric || !fromRange.start.isNumeric || t.epoch == fromRange.start.epoch else { return .invalid }
  let offset = t - fromRange.start
  if fromRange.duration.isPositiveInfinity && toRange.duration.isPositiveInfinity { return offset + toRange.start }
  let scaled = scale(offset, from: fromRange.duration, to: toRange.duration)
  return scaled + toRange.start
}

/// The length in one range that corresponds to a length in another. Invalid when the length has an epoch.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
  guard isMappable(fromRange), isMappable(toRange), dur.epoch == 0 else { return .invalid }
  if fromRange.duration.isPositiveInfinity && toRange.duration.isPositiveInfinity { return dur }
  return scale(dur, from: fromRange.duration, to: toRange.duration)
}

/// The time brought into the range by whole multiples of its duration, from either side.
///
/// Times before the start are folded as well. An infinite range folds nothing: later times pass, earlier give +∞.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
  guard foldRange.isValid, !foldRange.isEmpty, foldRange.start.kind == .numeric else { return .invalid }
  guard time.kind == .numeric else { return time.kind == .indefinite ? .indefinite : .invalid }
  let start = foldRange.start
  guard time.epoch == start.epoch else { return .invalid }
  switch foldRange.duration.kind {
  case .positiveInfinity: return time >= start ? time : .positiveInfinity
  case .numeric: return fold(time, start: start, duration: foldRange.duration)
  default: return .indefinite
  }
}

private func fold(_ time: CMTime, start: CMTime, duration: CMTime) -> CMTime {
  let scales = [time, start, duration].map { UInt128($0.timescale.magnitude) }
  let denominator = scales.reduce(1) { $0 / greatestCommonDivisor($0, $1) * $1 }
  // At most 63 + 62 bits each: the denominator is a product of three timescales of which each cancels its own.
  func numerator(_ time: CMTime) -> Int128 {
    Int128(time.value) * Int128(denominator / UInt128(time.timescale.magnitude))
  }
  let length = numerator(duration)
  let remainder = (numerator(time) - numerator(start)) % length
  let folded = ExactTime(
    numerator: numerator(start) + (remainder < 0 ? remainder + length : remainder), denominator: denominator)
  return CMTime(
    folded, scale: CMTimeScale(exactly: denominator) ?? kCMTimeMaxTimescale,
    wasRounded: [time, start, duration].contains(where: \.hasBeenRounded), epoch: time.epoch)
}

private func isMappable(_ range: CMTimeRange) -> Bool {
  range.isValid && !range.isEmpty && range.start.computingKind != .invalid && range.duration.computingKind != .invalid
}

/// `offset · to / from`, exact where some timescale can hold it.
private func scale(_ offset: CMTime, from: CMTime, to: CMTime) -> CMTime {
  if from == to && from.isNumeric { return offset }
  guard offset.kind == .numeric, from.kind == .numeric, to.kind == .numeric else {
    return scaleOfKinds(offset, from: from, to: to)
  }
  let wasRounded = [offset, from, to].contains(where: \.hasBeenRounded)
  // (v1/s1)·(v2/s2)·(s3/v3), reduced crosswise.
  var above = [offset.value.magnitude, to.value.magnitude, UInt64(from.timescale.magnitude)]
  var below = [UInt64(offset.timescale.magnitude), UInt64(to.timescale.magnitude), from.value.magnitude]
  for upper in above.indices {
    for lower in below.indices {
      let common = greatestCommonDivisor(above[upper], below[lower])
      above[upper] /= common
      below[lower] /= common
    }
  }
  let magnitude = Int128(above[0]) * Int128(above[1])
  let exact = ExactTime(
    numerator: offset.value < 0 ? -magnitude : magnitude, factor: above[2],
    denominator: below.reduce(1) { $0 * UInt128($1) })
  return CMTime(exact, scale: exact.scale(preferring: offset.timescale), wasRounded: wasRounded, epoch: offset.epoch)
}

/// Not all three are numeric and not both lengths infinite.
private func scaleOfKinds(_ offset: CMTime, from: CMTime, to: CMTime) -> CMTime {
  if offset.computingKind == .invalid { return .invalid }
  if [offset, from, to].contains(where: \.isIndefinite) { return .indefinite }
  if from.isNumeric && to.isNumeric { return offset }
  if to.isNumeric { return offset.isNumeric ? .zero : .invalid }
  if offset == .zero { return .zero }
  return .infinity(negative: offset < .zero)
}
