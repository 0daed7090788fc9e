extension CMTime {
  /// The same time in ticks of another timescale, rounded by `method`.
  ///
  /// Times that are not numbers pass unchanged. Invalid for a timescale that is not positive, infinite on overflow.
  public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
    guard kind == .numeric else { return kind == .malformed ? .invalid : self }
    guard newTimescale > 0 else { return .invalid }
    if newTimescale == timescale { return self }
    let isQuickTime = method == .quickTime
    let effective: CMTimeRoundingMethod =
      isQuickTime ? (newTimescale < timescale ? .roundTowardZero : .roundAwayFromZero) : method
    guard let (nearest, isExact) = ExactTime(self).value(at: newTimescale, effective) else {
      return .infinity(negative: value < 0)
    }
    let ticks = isQuickTime && nearest == 0 && value < 0 ? -1 : nearest
    let rounded: CMTimeFlags = hasBeenRounded || !isExact ? .hasBeenRounded : []
    return CMTime(value: ticks, timescale: newTimescale, flags: [.valid, rounded], epoch: epoch)
  }
}

public func CMTimeConvertScale(_ time: CMTime, timescale newTimescale: CMTimeScale, method: CMTimeRoundingMethod)
  -> CMTime
{
  time.convertScale(newTimescale, method: method)
}
