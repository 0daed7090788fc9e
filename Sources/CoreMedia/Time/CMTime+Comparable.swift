extension CMTime: Equatable, Comparable {
  public static func == (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) == 0 }
  public static func != (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) != 0 }
  public static func < (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) < 0 }
  public static func <= (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) <= 0 }
  public static func > (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) > 0 }
  public static func >= (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) >= 0 }
}

/// −1, 0 or 1 in a total order: −∞, all numbers (by epoch, then by seconds), indefinite, +∞, invalid.
///
/// Two times of the same kind that are not numbers are equal.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  let (kind1, kind2) = (time1.computingKind, time2.computingKind)
  guard kind1 == .numeric, kind2 == .numeric else { return order(kind1, kind2) }
  guard time1.epoch == time2.epoch else { return order(time1.epoch, time2.epoch) }
  if time1.timescale == time2.timescale { return order(time1.value, time2.value) }
  return order(Int128(time1.value) * Int128(time2.timescale), Int128(time2.value) * Int128(time1.timescale))
}

private func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int32 {
  left < right ? -1 : left == right ? 0 : 1
}

/// The lesser by `CMTimeCompare`; the first when equal.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
  CMTimeCompare(time1, time2) <= 0 ? time1 : time2
}

/// The greater by `CMTimeCompare`; the first when equal.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
  CMTimeCompare(time1, time2) >= 0 ? time1 : time2
}

extension CMTime: Hashable {
  /// Equal times hash alike, whatever their timescales.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(computingKind)
    guard kind == .numeric else { return }
    let common = greatestCommonDivisor(value.magnitude, UInt64(timescale.magnitude))
    hasher.combine(epoch)
    hasher.combine(value < 0)
    hasher.combine(value.magnitude / common)
    hasher.combine(UInt64(timescale.magnitude) / common)
  }
}
