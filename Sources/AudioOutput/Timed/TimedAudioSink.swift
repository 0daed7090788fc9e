package import MediaEngine
package import MediaRuntime

/// A sink without a device: frames are counted by the scheduler's clock, real or virtual.
///
/// One timer per buffer while it runs, none while it rests. What would be heard goes to a `FrameTaker`.
package final class TimedAudioSink: AudioSink {
  private struct State {
    var line: TimedLine
    var isClosed = false
    /// When the pending timer is due; it is not moved back when its reason goes, only looks again when it fires.
    var timer: (due: HostTime, ticket: Ticket)?
    var pendingStart: Ticket?
  }

  package let format: AudioDeviceFormat
  private let scheduler: any Scheduler
  private let queue: SerialQueue
  private let taker: (any FrameTaker)?
  private let events = EventPort()
  private let state: Lock<State>

  package init(
    format: AudioDeviceFormat, mode: AudioLatencyMode, device: TimedDevice, scheduler: any Scheduler,
    taker: (any FrameTaker)? = nil
  ) {
    self.format = format
    self.scheduler = scheduler
    self.taker = taker
    queue = scheduler.queue("audio device", .urgent)
    var targets = AudioTargets(mode, sampleRate: format.sampleRate)
    targets.target += device.latency
    targets.lowWater += device.latency
    state = Lock(State(line: TimedLine(format: format, device: device, targets: targets)))
  }

  deinit { close() }

  // MARK: Commands

  package func setRunning(_ running: Bool) {
    change { state, now in
      guard running != state.line.isRunning else { return }
      state.line.setRunning(running, at: now)
      state.pendingStart?.cancel()
      state.pendingStart = nil
      if running {
        let ticket = Ticket()
        state.pendingStart = ticket
        let delay = state.line.startTime - now
        queue.post("audio line starts", after: delay, ticket: ticket) { [weak self] in self?.events.send(.started) }
      } else {
        state.timer?.ticket.cancel()
        state.timer = nil
        queue.post("audio line stops") { [weak self] in self?.events.send(.stopped) }
      }
    }
  }

  package func setLatency(_ mode: AudioLatencyMode) {
    change { state, _ in
      var targets = AudioTargets(mode, sampleRate: format.sampleRate)
      targets.target += state.line.device.latency
      targets.lowWater += state.line.device.latency
      state.line.setTargets(targets)
    }
  }

  package func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) -> Int {
    var taken = samples.count / max(format.channelCount, 1)
    change { state, now in taken = state.line.write(samples, at: frame, now: now) }
    return taken
  }

  package func truncate(at frame: Int64) {
    change { state, now in state.line.truncate(at: frame, now: now) }
  }

  package func setEventHandler(on queue: SerialQueue, _ handler: @escaping @Sendable (AudioSinkEvent) -> Void) {
    events.open(on: queue, handler)
  }

  package func close() {
    events.close()
    let wasOpen = state.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      bringUpToDate(&state, scheduler.now)
      state.line.setRunning(false, at: scheduler.now)
      state.isClosed = true
      state.timer?.ticket.cancel()
      state.pendingStart?.cancel()
      return true
    }
    guard wasOpen else { return }
    taker?.finish()
    queue.close()
  }

  // MARK: Reading

  package var writtenEnd: Int64 { state.withLock { $0.line.writtenEnd } }
  package var rewriteFloor: Int64 {
    let now = scheduler.now
    return state.withLock { $0.line.floor(at: now) }
  }
  package var targetFrames: Int64 { state.withLock { $0.line.targets.target } }
  /// What became of the frames so far.
  package var counts: TimedLine.Counts {
    let now = scheduler.now
    return state.withLock { state in
      if !state.isClosed { bringUpToDate(&state, now) }
      return state.line.counts
    }
  }

  package func position() -> AudioPosition {
    let now = scheduler.now
    return state.withLock { $0.line.position(at: now) }
  }

  // MARK: The device's faults, for virtual devices

  package func send(_ event: AudioSinkEvent) { events.send(event) }

  /// Changes the clock's error from now on.
  package func setSkew(_ skew: Int) {
    change { state, now in state.line.setSkew(skew, at: now) }
  }

  /// Plays silence instead of the next frames, as a device that lost its queue does.
  package func dropQueue(frames: Int64) {
    change { state, now in state.line.dropQueue(frames, at: now) }
    events.send(.underrun)
  }

  /// Hands everything heard until now to the taker.
  package func update() {
    change { _, _ in }
  }

  // MARK: The clock

  private func change(_ body: (inout State, HostTime) -> Void) {
    let now = scheduler.now
    state.withLock { state in
      guard !state.isClosed else { return }
      bringUpToDate(&state, now)
      body(&state, now)
      look(&state, now)
    }
  }

  private func bringUpToDate(_ state: inout State, _ now: HostTime) {
    let taker = taker
    let gapBegan = state.line.advance(to: now) { samples, frames in taker?.take(samples, frames: frames) }
    if gapBegan { queue.post("audio underrun") { [weak self] in self?.events.send(.underrun) } }
  }

  /// Asks for frames if it is time, and sees to it that the line is looked at again in time.
  private func look(_ state: inout State, _ now: HostTime) {
    if state.line.takesAsking(at: now) {
      queue.post("audio device asks") { [weak self] in self?.events.send(.needsFrames) }
    }
    guard let due = state.line.nextEvent(after: now) else { return }
    if let timer = state.timer {
      if timer.due <= due { return }
      timer.ticket.cancel()
    }
    let ticket = Ticket()
    state.timer = (due, ticket)
    queue.post("audio device clock", after: due - now, ticket: ticket) { [weak self] in self?.timerFired(ticket) }
  }

  private func timerFired(_ ticket: Ticket) {
    change { state, _ in
      if state.timer?.ticket === ticket { state.timer = nil }
    }
  }
}
