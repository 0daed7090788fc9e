extension CMTime {
  /// `seconds · preferredTimescale` truncated toward zero.
  ///
  /// The timescale is halved while the value overflows. Invalid for NaN and for a timescale that is not positive.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self.init()
    guard preferredTimescale > 0, !seconds.isNaN else { return }
    var timescale = preferredTimescale
    while timescale > 1, CMTime.ticks(seconds, timescale) == nil, seconds.isFinite { timescale /= 2 }
    guard let value = CMTime.ticks(seconds, timescale) else {
      self = .infinity(negative: seconds < 0)
      return
    }
    let isExact = Double(value) / Double(timescale) == seconds
    self.init(value: value, timescale: timescale, flags: isExact ? .valid : [.valid, .hasBeenRounded], epoch: 0)
  }

  private static func ticks(_ seconds: Double, _ timescale: CMTimeScale) -> CMTimeValue? {
    let product = seconds * Double(timescale)
    return product >= -0x1p63 && product < 0x1p63 ? CMTimeValue(product) : nil
  }
}

public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// Invalid when `timescale` is not positive.
public func CMTimeMakeWithEpoch(value: CMTimeValue, timescale: CMTimeScale, epoch: CMTimeEpoch) -> CMTime {
  guard timescale > 0 else { return .invalid }
  return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: CMTimeScale) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

public func CMTimeGetSeconds(_ time: CMTime) -> Double {
  time.seconds
}
