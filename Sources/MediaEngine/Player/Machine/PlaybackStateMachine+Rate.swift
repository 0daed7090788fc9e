import CoreMedia
import MediaRuntime

extension PlaybackStateMachine {
  /// The wanted rate changes at once; what really happens is settled afterwards.
  mutating func setRate(_ rate: Float) {
    guard isPossible(rate) else {
      act(.notify(.rateDidChange(.setRateFailed)))
      return
    }
    synchronizedStart = nil
    ignoresBuffering = false
    changeRate(rate, .setRateCalled)
  }

  /// Whether the current item can be asked for a rate; before it is ready, the wish is kept.
  private func isPossible(_ rate: Float) -> Bool {
    guard rate.isFinite else { return false }
    guard rate != 0, let item = currentItem else { return true }
    switch item.phase {
    case .failed: return false
    case .ready: return item.rates(of: supportedRates).contains(rate)
    case .waiting, .loading: return true
    }
  }

  /// The slowest and the fastest that clocks can follow; beyond them a wish is taken as the edge.
  private static let magnitudes: ClosedRange<Float> = 1 / 1024...1024

  private static func within(_ rate: Float) -> Float {
    guard rate != 0 else { return 0 }
    let magnitude = min(max(rate.magnitude, magnitudes.lowerBound), magnitudes.upperBound)
    return rate < 0 ? -magnitude : magnitude
  }

  mutating func changeRate(_ wanted: Float, _ reason: RateChangeReason) {
    let rate = Self.within(wanted)
    if rate != 0, let preroll, preroll.rate != rate { endPreroll(false) }
    guard rate != state.rate else { return }
    if rate != 0, let item = currentItem, item.end != Direction(rate) { leaveEnd(of: item.id) }
    state.rate = rate
    if rate == 0 {
      synchronizedStart = nil
      ignoresBuffering = false
    }
    act(.notify(.rateDidChange(reason)))
  }

  private mutating func leaveEnd(of id: ItemID) {
    items[id]?.end = nil
    items[id]?.hasReportedEnd = false
  }

  /// Plays whatever is there. With an empty buffer it is a stall that is not notified.
  mutating func playImmediately(_ rate: Float) {
    guard rate != 0, isPossible(rate) else { return setRate(rate) }
    synchronizedStart = nil
    guard let item = currentItem, item.buffer.isEmpty, item.end == nil else {
      changeRate(rate, .setRateCalled)
      ignoresBuffering = true
      // Shown as playing at once, as long as the item can be run now.
      if case .starting = transport { isStartShown = true }
      return
    }
    guard state.automaticallyWaits else {
      ignoresBuffering = false
      return changeRate(0, .endOrStall)
    }
    changeRate(rate, .setRateCalled)
    if transport == .halted { setEvaluation(.closed) }
  }

  /// Needs `automaticallyWaits == false`, which the façade has checked.
  mutating func setSynchronizedRate(_ rate: Float, _ time: CMTime, _ hostTime: HostTime?) {
    guard isPossible(rate) else {
      act(.notify(.rateDidChange(.setRateFailed)))
      return
    }
    guard rate != 0 else {
      setRate(0)
      if time.isNumeric {
        seek(nil, SeekCommand(target: time, toleranceBefore: .zero, toleranceAfter: .zero))
      }
      return
    }
    if time.isNumeric, let current = state.current {
      complete(items[current]?.seek?.completion, false)
      items[current]?.seek?.completion = nil
    }
    changeRate(rate, .setRateCalled)
    synchronizedStart = (time, hostTime)
  }

  mutating func setAutomaticallyWaits(_ waits: Bool) {
    state.automaticallyWaits = waits
    if !waits, case .starting = transport { isStartShown = true }
  }

  /// Something other than the caller stops playing: the wish goes with it.
  mutating func stopPlaying(_ reason: RateChangeReason) {
    changeRate(0, reason)
  }
}
