public let kCMTimebaseError_MissingRequiredParameter: OSStatus = -12748
public let kCMTimebaseError_InvalidParameter: OSStatus = -12749
public let kCMTimebaseError_AllocationFailed: OSStatus = -12750
public let kCMTimebaseError_TimerIntervalTooShort: OSStatus = -12751
public let kCMTimebaseError_ReadOnly: OSStatus = -12757

extension CMTimebase {
  /// Jumps to a time. Posts that time jumped.
  public func setTime(_ time: CMTime) throws {
    try check(time.isNumeric)
    change(rateChanges: false, jumps: true) { anchor, now in
      TimebaseAnchor(time: time, sourceTime: now, rate: anchor.rate)
    }
  }

  /// Time is `time` when the source's is `immediateSourceTime`, which should be about now. Posts that time jumped.
  public func setAnchorTime(_ time: CMTime, immediateSourceTime: CMTime) throws {
    try check(time.isNumeric && immediateSourceTime.isNumeric)
    change(rateChanges: false, jumps: true) { anchor, _ in
      TimebaseAnchor(time: time, sourceTime: immediateSourceTime, rate: anchor.rate)
    }
  }

  /// Runs at another rate from the present time on. Posts that the effective rate changed.
  public func setRate(_ rate: Double) throws {
    try check(rate.isFinite)
    change(rateChanges: true, jumps: false) { anchor, now in
      TimebaseAnchor(time: anchor.time(ofSource: now), sourceTime: now, rate: rate)
    }
  }

  /// Sets rate and anchor together. Posts both changes.
  public func setRate(_ rate: Double, anchorTime: CMTime, immediateSourceTime: CMTime) throws {
    try check(rate.isFinite && anchorTime.isNumeric && immediateSourceTime.isNumeric)
    change(rateChanges: true, jumps: true) { _, _ in
      TimebaseAnchor(time: anchorTime, sourceTime: immediateSourceTime, rate: rate)
    }
  }

  /// Follows another clock from the present time on.
  public func setSourceClock(_ clock: CMClock) throws {
    try check(true)
    exchange(source: clock)
    post(rateChanged: true, jumped: false)
  }

  /// Follows another timebase from the present time on; one that follows this one is refused.
  public func setSourceTimebase(_ timebase: CMTimebase) throws {
    var next: CMTimebase? = timebase
    while let link = next {
      try check(link !== self)
      next = link.sourceTimebase
    }
    exchange(source: timebase)
    post(rateChanged: true, jumped: false)
  }

  private func check(_ isValid: Bool) throws {
    if isReadOnly { throw NSError.status(kCMTimebaseError_ReadOnly) }
    if !isValid { throw NSError.status(kCMTimebaseError_InvalidParameter) }
  }

  private func change(rateChanges: Bool, jumps: Bool, _ body: (TimebaseAnchor, CMTime) -> TimebaseAnchor) {
    let oldRate = rate
    update(body)
    post(rateChanged: rateChanges && rate != oldRate, jumped: jumps)
  }
}
