extension CMTimeRange {
  /// The smallest range that holds both. An invalid or empty range adds nothing.
  public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
    guard otherRange.isValid, !otherRange.isEmpty else { return isValid || !otherRange.isValid ? self : otherRange }
    guard isValid, !isEmpty else { return otherRange }
    return CMTimeRange(
      start: CMTimeMinimum(start, otherRange.start), end: CMTimeMaximum(end, otherRange.end))
  }

  /// What both have in common: the zero range when nothing, invalid when one of them is.
  public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
    guard isValid, otherRange.isValid else { return .invalid }
    let commonStart = CMTimeMaximum(start, otherRange.start)
    let commonEnd = CMTimeMinimum(end, otherRange.end)
    return commonStart < commonEnd ? CMTimeRange(start: commonStart, end: commonEnd) : .zero
  }

  /// True from `start` up to, but not including, `end`.
  public func containsTime(_ time: CMTime) -> Bool {
    guard isValid, time.isValid, !time.isIndefinite else { return false }
    return start <= time && time < end
  }

  /// True when the other range neither starts earlier nor ends later.
  public func containsTimeRange(_ otherRange: CMTimeRange) -> Bool {
    isValid && otherRange.isValid && otherRange.start >= start && otherRange.end <= end
  }
}
