import CoreMedia
import MediaRuntime

extension PlaybackStateMachine {
  /// Brings driver and shown state in line with what the transition has made true.
  mutating func settle() {
    passOverFailedItems()
    if currentItem?.phase == .failed { stopPlaying(.endOrStall) }
    settleQueue()
    settleTransport()
    settlePreroll()
    settleTimeControl()
  }

  mutating func haltTransport() {
    if transport != .halted { act(.driver(.halt)) }
    transport = .halted
    isStartShown = false
  }

  private mutating func settleTransport() {
    guard state.rate != 0, let item = currentItem, item.phase == .ready else {
      haltTransport()
      playsThroughSeek = false
      return
    }
    if let start = synchronizedStart, item.seek == nil || start.time.isNumeric {
      return startSynchronized(item, start)
    }
    guard item.seek == nil else { return }
    switch transport {
    case .moving(state.rate), .starting(state.rate): break
    case .moving:
      run(item.id)
      transport = .moving(state.rate)
      act(.observe(.rateChanged))
    case .starting:
      run(item.id)
      transport = .starting(state.rate)
    case .halted:
      guard canStart(item) else { break }
      run(item.id)
      transport = .starting(state.rate)
      isStartShown = playsThroughSeek || ignoresBuffering || !state.automaticallyWaits
    }
    playsThroughSeek = false
  }

  private func canStart(_ item: MachineItem) -> Bool {
    if ignoresBuffering || item.end == Direction(state.rate) { return true }
    if !state.automaticallyWaits { return !item.buffer.isEmpty }
    return item.buffer.isLikelyToKeepUp || item.buffer.isFull
  }

  private mutating func run(_ id: ItemID) {
    if transport == .halted { items[id]?.hasReportedEnd = false }
    act(.driver(.run(rate: state.rate, from: nil, at: nil)))
  }
}

extension PlaybackStateMachine {
  /// Apple's `setRate(_:time:atHostTime:)`: with a host time nothing is waited for but the item itself.
  private mutating func startSynchronized(_ item: MachineItem, _ start: (time: CMTime, hostTime: HostTime?)) {
    guard start.hostTime != nil || !item.buffer.isEmpty || item.end != nil else { return haltTransport() }
    let time = start.time.isNumeric ? start.time : nil
    if time != nil {
      items[item.id]?.seek = nil
      items[item.id]?.end = nil
      items[item.id]?.isPlayingLogged = false
      act(.notify(.timeJumped(item.id)))
      act(.observe(.jumped))
    }
    items[item.id]?.hasReportedEnd = false
    act(.driver(.run(rate: state.rate, from: time, at: start.hostTime)))
    transport = .starting(state.rate)
    isStartShown = true
    playsThroughSeek = false
    synchronizedStart = nil
  }

  /// What the outside sees: paused ⇔ rate 0, a reason ⇔ waiting.
  private mutating func settleTimeControl() {
    let old = state.timeControl
    let plays: Bool
    switch transport {
    case .moving: plays = true
    case .starting: plays = isStartShown
    case .halted: plays = playsThroughSeek
    }
    if state.rate == 0 {
      show(.paused, nil)
    } else if plays {
      show(.playing, nil)
    } else if state.current == nil {
      show(.waiting, .noItemToPlay)
    } else if !state.automaticallyWaits {
      show(.waiting, .evaluatingBufferingRate)
    } else {
      if evaluation == .none { setEvaluation(.open(nextNumber())) }
      show(.waiting, evaluation == .closed ? .toMinimizeStalls : .evaluatingBufferingRate)
    }
    if old != .playing, state.timeControl == .playing { act(.observe(.started)) }
    if old == .playing, state.timeControl != .playing { act(.observe(.stopped)) }
  }

  private mutating func show(_ timeControl: TimeControl, _ reason: WaitingReason?) {
    state.timeControl = timeControl
    state.waitingReason = reason
    if reason == nil || reason == .noItemToPlay || !state.automaticallyWaits { setEvaluation(.none) }
  }

  mutating func setEvaluation(_ new: Evaluation) {
    guard new != evaluation else { return }
    if case .open = evaluation { act(.disarmEvaluation) }
    if case .open(let number) = new { act(.armEvaluation(number)) }
    evaluation = new
  }
}
