import CoreMedia
import MediaRuntime

extension PlaybackStateMachine {
  /// Reports of items that have left are old news.
  mutating func take(_ event: DriverEvent) {
    switch event {
    case .opened(let id, let description):
      guard items[id]?.isAttached == true else { return }
      state.status = .readyToPlay
      items[id]?.description = description
    case .ready(let id): becomeReady(id)
    case .failed(let id, let error): fail(id, error)
    case .descriptionChanged(let id, let description):
      guard items[id]?.isAttached == true else { return }
      items[id]?.description = description
      if items[id]?.phase == .ready { publishDescription(of: id) }
    case .buffer(let id, let buffer):
      guard items[id]?.isAttached == true, items[id]?.buffer != buffer else { return }
      items[id]?.buffer = buffer
      if items[id]?.phase == .ready { publishBuffer(of: id) }
    case .started(let id, let rate): started(id, rate)
    case .stalled(let id): stalled(id)
    case .reachedEnd(let id): reachedEnd(id)
    case .playingFailed(let id, let error): playingFailed(id, error)
    case .advanced(let from, let to): advanced(from, to)
    case .landed(let id, let seek, _): landed(id, seek)
    case .prerolled(let id, let finished):
      if id == state.current, preroll?.isSent == true { endPreroll(finished) }
    case .interruptionBegan: stopPlaying(.audioSessionInterrupted)
    case .interruptionEnded: break
    case .frameRate(let id, let rate):
      guard items[id]?.phase == .ready else { return }
      update(id) { values in
        for index in values.tracks.indices where values.tracks[index].track.kind == .video {
          values.tracks[index].currentFrameRate = values.tracks[index].isEnabled ? rate : 0
        }
      }
    }
  }

  private mutating func becomeReady(_ id: ItemID) {
    guard items[id]?.phase == .loading else { return }
    items[id]?.phase = .ready
    state.status = .readyToPlay
    publishDescription(of: id)
    publishBuffer(of: id)
    let timebase = items[id]?.timebase
    let rates = items[id]?.rates(of: supportedRates) ?? supportedRates
    update(id) { values in
      let hasVideo = values.tracks.contains { $0.track.kind == .video }
      values.timebase = timebase
      values.canPlaySlowForward = true
      values.canPlayFastForward = rates.fastForward
      values.canPlayReverse = rates.reverse
      values.canPlaySlowReverse = rates.slowReverse
      values.canPlayFastReverse = rates.fastReverse
      values.canStepForward = hasVideo
      values.canStepBackward = hasVideo
      values.status = .readyToPlay
    }
    finishStartSeek(of: id)
    if id == state.current, !rates.contains(state.rate) { stopPlaying(.setRateFailed) }
  }

  private mutating func fail(_ id: ItemID, _ error: MediaError) {
    guard let item = items[id], item.isAttached else { return }
    let isCurrent = id == state.current
    let hadBegun = item.phase == .ready
    state.status = .readyToPlay
    complete(item.seek?.completion, false)
    items[id]?.seek = nil
    items[id]?.phase = .failed
    detaching.append(id)
    update(id) { values in
      values.error = error
      values.status = .failed
    }
    act(.logError(id, error))
    guard isCurrent else { return }
    endPreroll(false)
    if hadBegun, state.rate != 0 { act(.notify(.failedToPlayToEnd(id, error))) }
  }

  private mutating func started(_ id: ItemID, _ rate: Float) {
    guard id == state.current, transport == .starting(rate) else { return }
    transport = .moving(rate)
    // Shown as playing before: observers learn now that time moves.
    if isStartShown { act(.observe(.rateChanged)) }
    ignoresBuffering = false
    items[id]?.end = nil
    endPreroll(true)
    logPlaying(id)
  }

  /// Once for each uninterrupted period of playing.
  private mutating func logPlaying(_ id: ItemID) {
    guard items[id]?.isPlayingLogged == false else { return }
    items[id]?.isPlayingLogged = true
    act(.logPlaying(id))
  }

  private mutating func stalled(_ id: ItemID) {
    guard id == state.current, transport != .halted else { return }
    let wasPlaying = state.timeControl == .playing
    haltTransport()
    if wasPlaying { act(.notify(.playbackStalled(id))) }
    ignoresBuffering = false
    if state.automaticallyWaits {
      setEvaluation(.closed)
    } else if wasPlaying {
      stopPlaying(.endOrStall)
    }
  }

  private mutating func playingFailed(_ id: ItemID, _ error: MediaError) {
    guard let item = items[id], item.isAttached else { return }
    act(.logError(id, error))
    guard id == state.current, state.rate != 0 else { return }
    act(.notify(.failedToPlayToEnd(id, error)))
    if state.actionAtItemEnd == .advance, state.queue.count > 1 {
      remove(id)
    } else {
      stopPlaying(.endOrStall)
    }
  }

  // MARK: The end

  private mutating func reachedEnd(_ id: ItemID) {
    guard id == state.current, let item = items[id], item.phase == .ready, item.seek == nil, state.rate != 0,
      transport != .halted, !item.hasReportedEnd
    else { return }
    items[id]?.end = Direction(state.rate)
    items[id]?.hasReportedEnd = true
    tellCut(of: id)
    act(.notify(.didPlayToEnd(id)))
    doActionAtEnd(of: id)
  }

  /// What was missing at the end stands in the error log, once.
  private mutating func tellCut(of id: ItemID) {
    guard let item = items[id], let description = item.description, description.isCutShort, !item.hasToldCut,
      state.rate > 0
    else { return }
    let end = item.configuration.forwardEndTime
    guard !end.isNumeric || end >= description.duration else { return }
    items[id]?.hasToldCut = true
    act(.logError(id, .cutShort(nil)))
  }

  mutating func setActionAtItemEnd(_ action: ActionAtItemEnd) {
    let old = state.actionAtItemEnd
    state.actionAtItemEnd = action
    guard old == .none, action != .none, let item = currentItem, item.hasReportedEnd, transport != .halted
    else { return }
    doActionAtEnd(of: item.id)
  }

  private mutating func doActionAtEnd(of id: ItemID) {
    switch (state.actionAtItemEnd, Direction(state.rate)) {
    case (.none, _): break
    case (.advance, .forward): remove(id)
    case (_, .backward): stopPlaying(.reversePlaybackReachedStart)
    case (.pause, .forward): stopPlaying(.endOrStall)
    }
  }

  private mutating func advanced(_ from: ItemID, _ to: ItemID) {
    guard from == state.current, items[from] != nil, state.rate != 0, transport != .halted else { return }
    let follows = following == to && items[to]?.phase == .ready
    guard state.actionAtItemEnd == .advance, follows else {
      // The app changed its mind while the sound went over: the end counts, and the driver is set back to it.
      isDriverAstray = true
      return reachedEnd(from)
    }
    tellCut(of: from)
    act(.notify(.didPlayToEnd(from)))
    let moving = transport
    let isShown = isStartShown
    while let failed = state.queue.dropFirst().first, failed != to { remove(failed) }
    remove(from)
    driverCurrent = to
    driverUpcoming = []
    transport = moving
    isStartShown = isShown
    logPlaying(to)
    act(.observe(.advanced))
  }
}
