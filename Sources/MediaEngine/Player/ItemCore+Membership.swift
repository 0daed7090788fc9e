import CoreMedia
import MediaRuntime

/// Called by the player under its lock: an item's lock is only ever taken inside a player's, never around it.
extension ItemCore {
  /// Makes the item a player's own, unless another one has it. Values begin anew: it must be opened again.
  func claim(by player: PlayerCore, as id: ItemID, at now: HostTime) -> ItemSeed? {
    state.withLock { state -> ItemSeed? in
      guard state.id == nil else { return nil }
      state.player = player
      state.id = id
      for output in state.outputs { output.join(id) }
      for output in state.subtitleOutputs { output.join(id) }
      state.attachedAt = now
      state.countedFrom = PlaybackCounters()
      var start = state.startSeek
      if start == nil, state.hasBeenAttached, state.restingTime.isNumeric, state.restingTime > .zero {
        start = SeekCommand(target: state.restingTime, toleranceBefore: .zero, toleranceAfter: .zero)
      }
      state.startSeek = nil
      state.hasBeenAttached = true
      if state.snapshot.status != .failed { state.snapshot = state.snapshot.beforeLoading }
      return ItemSeed(id: id, values: state.snapshot, configuration: state.configuration, startSeek: start)
    }
  }

  /// Freezes the item with its last values and gives it free.
  /// - Parameter unlanded: a seek that has not been carried out; another player does.
  /// - Returns: tells its outputs' owners that the frames they had are void; to be called outside locks.
  func release(_ values: ItemSnapshot, _ unlanded: SeekCommand?) -> [@Sendable () -> Void] {
    state.withLock { state in
      var tell: [@Sendable () -> Void] = []
      if let id = state.id {
        tell = state.outputs.compactMap { $0.leave(id) } + state.subtitleOutputs.compactMap { $0.leave(id) }
      }
      state.snapshot = values
      if let unlanded {
        state.startSeek = unlanded
        state.startSeek?.completion = nil
        if unlanded.target.isNumeric { state.restingTime = unlanded.target }
      }
      state.player = nil
      state.id = nil
      return tell
    }
  }

  func publish(_ values: ItemSnapshot, at now: HostTime) {
    state.withLock { state in
      if values.status == .readyToPlay, state.snapshot.status != .readyToPlay { state.readyAt = now }
      state.snapshot = values
    }
  }

  /// Where the item was when it left its player, and what it had read.
  func rest(at time: CMTime, _ counters: PlaybackCounters?) {
    count(counters)
    state.withLock { state in
      state.stopWatching(at: time)
      state.isPeriodOpen = false
      if time.isNumeric, state.startSeek == nil { state.restingTime = time }
    }
  }

  // MARK: Logs

  /// Records that a log keeps; the oldest go.
  package static let logLength = 1_000

  private static func append<Record>(_ record: Record, to log: inout [Record]) {
    if log.count >= logLength { log.removeFirst(log.count - logLength + 1) }
    log.append(record)
  }

  /// Brings the open record's figures up to date.
  func count(_ counters: PlaybackCounters?) {
    guard let counters else { return }
    state.withLock { state in
      guard state.isPeriodOpen, let last = state.accessLog.indices.last else { return }
      state.accessLog[last].counters = counters - state.countedFrom
    }
  }

  /// A seek ends a period: what is read from here on belongs to the next one.
  /// - Parameter time: where the item is before the seek.
  func endPeriod(at time: CMTime, _ counters: PlaybackCounters?) {
    count(counters)
    state.withLock { state in
      guard state.isPeriodOpen else { return }
      state.stopWatching(at: time)
      state.isPeriodOpen = false
      state.countedFrom = counters ?? PlaybackCounters()
    }
  }

  /// - Parameter counters: of the item's attachment so far.
  func logPlaying(at time: CMTime, now: HostTime, _ counters: PlaybackCounters?) {
    count(counters)
    state.withLock { state in
      // What was read before the first period was read for it.
      if state.isPeriodOpen { state.countedFrom = counters ?? PlaybackCounters() }
      state.isPeriodOpen = true
      var record = AccessLogRecord(address: asset.url.absoluteString, start: now, startOffset: time)
      if state.accessLog.isEmpty { record.startupTime = (state.readyAt - state.attachedAt).seconds }
      Self.append(record, to: &state.accessLog)
      state.watchedFrom = time
    }
  }

  func logStall() {
    state.withLock { state in
      guard let last = state.accessLog.indices.last else { return }
      state.accessLog[last].stalls += 1
    }
  }

  /// Playing began or stopped at an item time.
  func logWatching(_ isPlaying: Bool, at time: CMTime) {
    state.withLock { state in
      if isPlaying {
        state.watchedFrom = time
      } else {
        state.stopWatching(at: time)
      }
    }
  }

  func logError(_ error: MediaError, now: HostTime) {
    state.withLock { state in
      let record = ErrorLogRecord(address: asset.url.absoluteString, time: now, error: error)
      Self.append(record, to: &state.errorLog)
    }
  }
}

extension ItemCore.State {
  mutating func stopWatching(at time: CMTime) {
    if isPeriodOpen, let last = accessLog.indices.last { accessLog[last].durationWatched += watched(at: time) }
    watchedFrom = nil
  }

  /// Seconds since the open record's figure was written.
  func watched(at time: CMTime) -> Double {
    guard isPeriodOpen, let from = watchedFrom else { return 0 }
    let seconds = abs((time - from).seconds)
    return seconds.isFinite ? seconds : 0
  }
}

extension ItemSnapshot {
  /// Settings stay; what comes from the media is unknown again.
  var beforeLoading: ItemSnapshot {
    var values = ItemSnapshot()
    values.forwardEndTime = forwardEndTime
    values.reverseEndTime = reverseEndTime
    values.preferredForwardBufferDuration = preferredForwardBufferDuration
    values.selectedTracks = selectedTracks
    return values
  }
}
