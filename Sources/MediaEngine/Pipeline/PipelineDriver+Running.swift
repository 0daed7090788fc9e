internal import CoreMedia
internal import MediaRuntime

/// Starting, showing in time, stalling, ending.
extension PipelineDriver {
  /// A frame is shown, and an end reported, up to this much early: less than any clock can tell.
  static let slack = CMTime(value: 250, timescale: 1_000_000)

  // MARK: Starting

  func run(_ wish: Wanted) {
    var wish = wish
    guard wish.rate != 0, let transport = timeline.renewed(wish.transport) else { return }
    wish.transport = transport
    if let running, running.item == currentID, wish.time == nil, wish.hostTime == nil {
      if (running.rate < 0) == (wish.rate < 0) { return changeRate(wish.rate) }
      wish.transport = timeline.interrupt(running.item)
    }
    if running != nil { stopRunning() }
    wanted = wish
    if let current { startIfPossible(current) }
  }

  func becameStartable(_ item: ItemPipeline) {
    guard item.isStartable else {
      if prerolls.contains(item.id) || (item.id == currentID && wanted != nil) { item.hurrySound() }
      return
    }
    if prerolls.remove(item.id) != nil { emit(.prerolled(item.id, finished: true)) }
    if item.id == currentID { startIfPossible(item) } else { upcomingChanged() }
  }

  func cancelPreroll(_ item: ItemID) {
    if prerolls.remove(item) != nil { emit(.prerolled(item, finished: false)) }
  }

  private func startIfPossible(_ item: ItemPipeline) {
    guard let wish = wanted, item.isReady, running == nil else { return }
    if let time = wish.time, time.isNumeric, time != timeline.time(of: item.id) || item.landing != nil {
      guard item.landing?.isRunTarget != true || item.landing?.target != time else { return }
      wanted?.time = nil
      return item.landForRun(at: time)
    }
    if wish.rate < 0 {
      guard item.isLanded else { return }
      wanted = nil
      return beginBackward(item, wish)
    }
    guard item.isStartable else { return item.hurrySound() }
    wanted = nil
    begin(item, wish)
  }

  private func begin(_ item: ItemPipeline, _ wish: Wanted) {
    let time = timeline.time(of: item.id)
    let hasSound = item.feeder != nil
    running = Running(
      item: item.id, rate: wish.rate, epoch: item.epoch, hasSound: hasSound, transport: wish.transport)
    item.setRate(wish.rate)
    item.readOn()
    item.video?.setRunning(true, rate: wish.rate)
    audio.setMode(item.video == nil ? .audioOnly : .interactive)
    if hasSound {
      audio.start(
        item.id, at: time, rate: Double(wish.rate), epoch: item.epoch, hostTime: wish.hostTime,
        transport: wish.transport)
      if item.configuration.forwardEndTime.isNumeric { audio.setEnd(item.forwardEnd, of: item.id) }
      return
    }
    let now = environment.scheduler.now
    let start = wish.hostTime ?? now
    let span = TimelineSpan(
      item: item.id, start: .host(start), mediaTime: time, rate: Double(wish.rate), generation: item.epoch)
    guard timeline.append(span, transport: wish.transport) else { return stopRunning() }
    movesAt(max(start, now))
  }

  func soundStarted(_ item: ItemID, _ epoch: UInt64, _ time: HostTime) {
    guard let running, running.item == item, running.epoch == epoch, !running.isMoving else { return }
    movesAt(time)
  }

  /// Tells of the start when it happens.
  func movesAt(_ time: HostTime) {
    let ticket = Ticket()
    startTicket?.cancel()
    startTicket = ticket
    control.post("time moves", after: time - environment.scheduler.now, ticket: ticket) { [weak self] in
      guard let self, let running = self.running, !running.isMoving else { return }
      self.running?.isMoving = true
      self.emit(.started(running.item, rate: running.rate))
      self.upcomingChanged()
      self.tick()
      if let item = self.items[running.item] { self.showSubtitles(item) }
      self.scheduleEnd()
    }
  }

  private func changeRate(_ rate: Float) {
    guard let running else { return }
    self.running?.hasReportedEnd = false
    if running.rate != rate {
      if let next = running.joining?.item { unjoin(next) }
      self.running?.rate = rate
      if let item = items[running.item] {
        item.setRate(rate)
        if item.video?.setRate(Double(rate)) == true { item.rejoinVideo() }
      }
      if running.hasSound {
        audio.setRate(Double(rate), of: running.item)
      } else {
        running.backward?.video?.setRate(Double(rate))
        if running.backward?.isLaidOut ?? true { changeSpan(running, rate) }
      }
    }
    // Until then the start itself tells of its rate.
    guard running.isMoving else { return }
    emit(.started(running.item, rate: rate))
    control.post("reschedule") { [weak self] in
      self?.tick()
      self?.upcomingChanged()
      self?.scheduleEnd()
      if let self, let item = self.items[running.item] { self.showSubtitles(item) }
    }
  }

  private func changeSpan(_ running: Running, _ rate: Float) {
    var start = environment.scheduler.now
    var time = timeline.time(of: running.item)
    if let span = timeline.lastSpan(of: running.item), case .host(let planned) = span.start, planned > start {
      (start, time) = (planned, span.mediaTime)
    }
    timeline.append(
      TimelineSpan(
        item: running.item, start: .host(start), mediaTime: time, rate: Double(rate), generation: running.epoch,
        limit: timeline.lastSpan(of: running.item)?.limit),
      transport: running.transport)
  }

  /// Stops showing and sounding; the timeline was halted by the caller or is here. The machine must know of it, or
  /// `wanted` be set.
  /// - Parameter landsAnew: after a run backward or by key frames, the item is placed where time stands; else something
  ///   else places it.
  func stopRunning(landsAnew: Bool = true) {
    tickTicket?.cancel()
    endTicket?.cancel()
    startTicket?.cancel()
    guard let stopped = running else { return }
    if let next = stopped.joining?.item { unjoin(next) }
    running = nil
    if let span = timeline.lastSpan(of: stopped.item), span.rate != 0 { timeline.interrupt(stopped.item) }
    if stopped.hasSound { audio.stop() }
    stopped.backward?.video?.close()
    if let item = items[stopped.item] {
      if stopped.rate < 0 || item.video?.hasSkimmed == true, landsAnew { item.landAnew() }
      item.video?.setRunning(false)
      showSubtitles(item)
      if frameRate.reset() { emit(.frameRate(item.id, 0)) }
    }
  }

  // MARK: Showing

  /// Shows what is due and sets the time of the next tick.
  func tick() {
    tickTicket?.cancel()
    guard let running, running.isMoving, let item = current, item.id == running.item else { return }
    if let backward = running.backward { return tickBackward(item, backward) }
    guard let video = item.video else { return }
    let time = timeline.time(of: item.id)
    let shown = video.present(at: time, slack: Self.slack)
    if shown.frame != nil, let rate = frameRate.note(environment.scheduler.now) {
      emit(.frameRate(item.id, rate))
    }
    if let next = shown.next {
      schedule(next, item, "show frame") { $0.tick() }
    } else if !shown.isDrained {
      watchForStall(video, item, time)
    }
  }

  /// What time has not reached although it is due (an item's time is held at its end until the next item is current) is
  /// looked at again, not at once again and again.
  func wait(until due: HostTime) -> Nanoseconds {
    let wait = due - environment.scheduler.now
    return wait > .zero ? wait : .milliseconds(1)
  }

  /// With no frame at hand, the picture's place in time must not run away from data that are missing.
  private func watchForStall(_ video: VideoDecoding, _ item: ItemPipeline, _ time: CMTime) {
    let level = video.buffer.level
    // Where nothing is owed, the decoder has not asked for the end yet.
    guard level.aheadCount == 0, !level.hasEnded, level.isNeedy else { return }
    let shownEnd = video.lastEnd ?? time
    guard time + Self.slack >= shownEnd else {
      return schedule(shownEnd, item, "look for a stall") { $0.tick() }
    }
    stall()
  }

  func schedule(
    _ time: CMTime, _ item: ItemPipeline, _ name: String, _ body: @escaping @Sendable (PipelineDriver) -> Void
  ) {
    guard let due = timeline.hostTime(of: time, in: item.id) else { return }
    let ticket = Ticket()
    tickTicket = ticket
    control.post(name, after: wait(until: due), ticket: ticket) { [weak self] in
      guard let self else { return }
      body(self)
    }
  }

  /// Nothing left to play although the media goes on: time stands, and the machine decides when to go on.
  func stall() {
    guard let running, let item = items[running.item] else { return }
    timeline.halt(running.item)
    stopRunning()
    item.isSoundPrepared = false
    // Told before the sound is prepared anew, which takes the reading place back to what was heard already.
    item.ranDry()
    item.prepareSound(fromBuffer: true)
    emit(.stalled(running.item))
  }

  // MARK: Ending

  func endChanged(_ item: ItemPipeline) {
    guard running?.item == item.id else { return }
    if let next = running?.joining?.item { unjoin(next) }
    if running?.rate ?? 0 < 0 { timeline.setLimit(item.backwardEnd, of: item.id) }
    upcomingChanged()
    scheduleEnd()
  }

  func scheduleEnd() {
    endTicket?.cancel()
    guard let running, running.isMoving, !running.hasReportedEnd, running.joining == nil,
      let item = items[running.item],
      let end = running.rate < 0 ? item.backwardEnd : item.forwardEnd
    else { return }
    let time = timeline.time(of: item.id)
    if running.rate < 0, time - Self.slack <= end { return reachEnd(item, CMTimeMinimum(time, end)) }
    if running.rate > 0, time + Self.slack >= end { return reachEnd(item, end) }
    guard let due = timeline.hostTime(of: end, in: item.id) else { return }
    let ticket = Ticket()
    endTicket = ticket
    control.post("end of item", after: wait(until: due), ticket: ticket) { [weak self] in
      self?.scheduleEnd()
    }
  }

  private func reachEnd(_ item: ItemPipeline, _ end: CMTime) {
    running?.hasReportedEnd = true
    tick()
    timeline.setCap(end, of: item.id)
    if let failure = item.sourceFailure, item.naturalEnd == end, running?.rate ?? 0 > 0 {
      emit(.playingFailed(item.id, failure))
    } else {
      emit(.reachedEnd(item.id))
    }
    timeline.setCap(nil, of: item.id)
  }

  // MARK: The next item

  /// Joins the upcoming item to the running one's end as soon as both are known. An end time is known before the media's
  /// own end; where that turns out to come first, the join is made anew (`endChanged`).
  func upcomingChanged() {
    guard let running, running.isMoving, running.rate > 0, running.joining == nil, let item = items[running.item],
      let end = item.forwardEnd, item.sourceFailure == nil,
      let next = upcoming.first(where: { $0 != running.item }).flatMap({ items[$0] }), next.isStartable
    else { return }
    let start = timeline.time(of: next.id)
    joins &+= 1
    let joining = Joining(
      item: next.id, start: start, epoch: next.epoch, number: joins, isBySound: running.hasSound)
    if running.hasSound, next.feeder != nil {
      self.running?.joining = joining
      audio.join(
        next.id, from: start, epoch: next.epoch, after: item.id, at: end, number: joins, transport: running.transport)
    } else if !running.hasSound, next.feeder == nil, let reached = timeline.hostTime(of: end, in: item.id) {
      // An end time may lie behind the place from which the item was started.
      let due = max(reached, environment.scheduler.now)
      let span = TimelineSpan(
        item: next.id, start: .host(due), mediaTime: start, rate: Double(running.rate), generation: next.epoch)
      guard timeline.append(span, transport: running.transport) else { return }
      self.running?.joining = joining
      joined(joins, at: due)
    }
  }

  /// An item that was to take over at the end does not, or not so: what was laid out for it is taken back.
  func unjoin(_ item: ItemID) {
    guard let joining = running?.joining, joining.item == item else { return }
    running?.joining = nil
    timeline.takeBack(item, to: joining.start, generation: joining.epoch)
    // It would come behind a join that is made anew on the timeline at once, and undo that.
    if joining.isBySound { audio.unjoin(item, to: joining.start, epoch: joining.epoch) }
    scheduleEnd()
  }

  /// Makes the joined item current when its first sample is heard or its first frame shown.
  func joined(_ number: UInt64, at time: HostTime) {
    let transport = timeline.transport
    control.post("advance", after: time - environment.scheduler.now) { [weak self] in
      guard let self, let old = self.running, let joining = old.joining, joining.number == number,
        transport == self.timeline.transport, let next = self.items[joining.item]
      else { return }
      let (from, to) = (old.item, joining.item)
      self.items[from]?.video?.setRunning(false)
      self.items[from]?.subtitleTicket?.cancel()
      self.makeCurrent(to)
      self.upcoming.removeAll { $0 == to }
      self.running = Running(
        item: to, rate: old.rate, epoch: next.epoch, hasSound: next.feeder != nil, transport: old.transport,
        isMoving: true)
      next.setRate(old.rate)
      next.video?.setRunning(true, rate: old.rate)
      self.audio.advance(to: to, epoch: next.epoch)
      self.emit(.advanced(from: from, to: to))
      self.tick()
      self.showSubtitles(next)
      self.scheduleEnd()
    }
  }
}
