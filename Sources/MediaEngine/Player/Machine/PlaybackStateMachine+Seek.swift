import CoreMedia
import MediaRuntime

extension PlaybackStateMachine {
  /// A time that can be sought: numeric or +∞, nothing before zero; nil for what makes no sense.
  static func numericTarget(_ time: CMTime) -> CMTime? {
    if time.isPositiveInfinity { return time }
    if time.isNegativeInfinity { return .zero }
    guard time.isNumeric else { return nil }
    return time < .zero ? .zero : time
  }

  mutating func seek(_ target: ItemID?, _ command: SeekCommand) {
    guard let id = target ?? state.current, let item = items[id], item.phase != .failed,
      var time = Self.numericTarget(command.target)
    else { return complete(command.completion, false) }
    if item.phase == .ready, time.isNumeric {
      if item.description?.isSeekable == false, !item.isBuffered(time) { return complete(command.completion, false) }
      if let bounds = item.seekableBounds { time = min(max(time, bounds.start), bounds.end) }
    }
    let request = SeekRequest(
      id: SeekID(nextNumber()), target: time, toleranceBefore: command.toleranceBefore,
      toleranceAfter: command.toleranceAfter, isPaused: id == state.current && state.rate == 0)
    // Its turn to be loaded may never come: whoever waits for the answer must not wait for that.
    let isFarBack = item.phase == .waiting
    supersedeSeek(
      of: id,
      with: PendingSeek(request: request, completion: isFarBack ? nil : command.completion, isStart: isFarBack))
    if isFarBack { complete(command.completion, true) }
    if item.isAttached { act(.driver(.seek(id, request))) }
  }

  mutating func step(_ id: ItemID, _ count: Int) {
    guard id == state.current, count != 0, state.rate == 0, let item = items[id], item.phase == .ready else { return }
    let number = SeekID(nextNumber())
    let request = SeekRequest(id: number, target: .zero, toleranceBefore: .zero, toleranceAfter: .zero)
    supersedeSeek(of: id, with: PendingSeek(request: request, completion: nil, isStep: true))
    act(.driver(.step(id, count, number)))
  }

  private mutating func supersedeSeek(of id: ItemID, with pending: PendingSeek) {
    guard let item = items[id] else { return }
    complete(item.seek?.completion, false)
    items[id]?.seek = pending
    items[id]?.end = nil
    items[id]?.hasReportedEnd = false
    items[id]?.isPlayingLogged = false
    guard id == state.current else { return }
    endPreroll(false)
    synchronizedStart = nil
    guard item.phase == .ready else { return }
    // The seek itself stops the timebase; it is run again after landing.
    transport = .halted
    isStartShown = false
    let end = item.seekableBounds?.end
    let target = pending.request.target.isPositiveInfinity ? end ?? .positiveInfinity : pending.request.target
    playsThroughSeek = state.timeControl == .playing && item.isBuffered(target)
  }

  mutating func cancelSeeks(_ id: ItemID) {
    guard let pending = items[id]?.seek else { return }
    // What the driver has begun lands all the same; only the answer comes now.
    items[id]?.seek?.completion = nil
    complete(pending.completion, false)
  }

  mutating func landed(_ id: ItemID, _ seek: SeekID) {
    guard let pending = items[id]?.seek, pending.request.id == seek else { return }
    items[id]?.seek = nil
    finish(pending, of: id)
  }

  /// A seek that went along with the attachment has been carried out when the item is ready.
  mutating func finishStartSeek(of id: ItemID) {
    guard let pending = items[id]?.seek, pending.isStart else { return }
    items[id]?.seek = nil
    finish(pending, of: id)
  }

  private mutating func finish(_ pending: PendingSeek, of id: ItemID) {
    if !pending.isStep { act(.notify(.timeJumped(id))) }
    if id == state.current { act(.observe(.jumped)) }
    complete(pending.completion, true)
  }

  // MARK: Preroll

  mutating func beginPreroll(_ rate: Float, _ completion: CompletionID?) {
    endPreroll(false)
    guard state.rate == 0, let item = currentItem, item.phase != .failed else { return complete(completion, false) }
    preroll = Preroll(rate: rate, completion: completion)
  }

  mutating func endPreroll(_ finished: Bool) {
    guard let old = preroll else { return }
    preroll = nil
    complete(old.completion, finished)
  }

  mutating func settlePreroll() {
    guard let waiting = preroll, !waiting.isSent, let item = currentItem, item.phase == .ready, item.seek == nil
    else { return }
    preroll?.isSent = true
    act(.driver(.preroll(item.id, waiting.rate)))
  }
}
