internal import MediaRuntime

/// Counts shown frames per second, and says so when the figure changes. Pure.
struct FrameRateMeter: Sendable {
  private var since: HostTime?
  private var count = 0
  private var told: Float = 0

  /// One frame was shown; the new rate when it differs from the last one told.
  mutating func note(_ now: HostTime) -> Float? {
    guard let since else {
      self.since = now
      return nil
    }
    count += 1
    let elapsed = (now - since).seconds
    guard elapsed >= 0.95 else { return nil }
    let rate = Float((Double(count) / elapsed * 100).rounded() / 100)
    self.since = now
    count = 0
    guard abs(rate - told) > 0.5 else { return nil }
    told = rate
    return rate
  }

  /// True when a rate other than zero was told before.
  mutating func reset() -> Bool {
    defer { self = FrameRateMeter() }
    return told != 0
  }
}
