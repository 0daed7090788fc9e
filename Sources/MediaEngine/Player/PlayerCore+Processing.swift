import CoreMedia
import MediaRuntime

extension PlayerCore {
  /// What one transition leaves to do after unlocking.
  struct Effects {
    /// The caller whose own change it is; nil when the engine caused it.
    let thread: UInt?
    /// Freed outside the lock: what goes with them may call back.
    var dropped: [ItemCore] = []
    /// For the owners of outputs whose items have left.
    var tellings: [@Sendable () -> Void] = []

    init(thread: UInt?) { self.thread = thread }
  }

  /// Runs a command on the caller's thread.
  func process(_ event: PlaybackStateMachine.Event) {
    process(thread: CallingThread.id) { _ in event }
  }

  func processDriver(_ event: DriverEvent) {
    var timebase: CMTimebase?
    var isReady: ItemID?
    if case .ready(let id) = event {
      isReady = id
      timebase = driver.timebase(of: id)
    }
    process(thread: nil) { [timebase, isReady] state in
      if let isReady { state.machine.adopt(timebase, for: isReady) }
      return .driver(event)
    }
  }

  /// - Parameter prepare: makes the event under the lock; nil means that nothing is to happen.
  func process(thread: UInt?, _ prepare: (inout State) -> PlaybackStateMachine.Event?) {
    let effects = state.withLock { state -> Effects? in
      guard let event = prepare(&state) else { return nil }
      var effects = Effects(thread: thread)
      let actions = state.machine.handle(event)
      apply(actions, to: &state, &effects)
      return effects
    }
    for tell in effects?.tellings ?? [] { tell() }
    drainDriver()
    drainApp(thread: thread)
    withExtendedLifetime(effects) {}
  }

  // MARK: From actions to work

  /// Publishes the new snapshots and puts the actions into their lanes. Called under the lock.
  func apply(_ actions: [PlaybackStateMachine.Action], to state: inout State, _ effects: inout Effects) {
    var events: [AppLane.Work] = []
    var others: [AppLane.Work] = []
    var edges: [ObserverEdge] = []
    let cores = state.cores
    let now = environment.scheduler.now
    for id in state.machine.changedItems {
      guard let core = cores[id], let values = state.machine.values(of: id) else { continue }
      let old = core.snapshot
      core.publish(values, at: now)
      events.append(.event(.itemChanged(core, old: old, new: values)))
    }
    for action in actions {
      switch action {
      case .driver(let call):
        let id = Self.item(of: call, current: state.machine.state.current)
        state.driver.append(.driver(call, id, id.flatMap { cores[$0] }))
      case .observe(let edge): edges.append(edge)
      case .armEvaluation(let number): state.driver.append(.armEvaluation(number))
      case .disarmEvaluation: state.driver.append(.disarmEvaluation)
      case .complete(let id, let finished):
        if let completion = state.completions.removeValue(forKey: id) {
          others.append(.completion(completion, finished))
        }
      case .notify(let notice):
        if let notification = notice.named(by: cores) { others.append(.event(.notification(notification))) }
        if case .playbackStalled(let id) = notice { cores[id]?.logStall() }
      case .released(let id, let values, let unlanded):
        guard let core = state.cores.removeValue(forKey: id) else { continue }
        let old = core.snapshot
        effects.tellings += core.release(values, unlanded)
        effects.dropped.append(core)
        events.append(.event(.itemChanged(core, old: old, new: values)))
      case .logPlaying(let id):
        guard let core = cores[id] else { continue }
        state.driver.append(.logPlaying(core, id))
        others.append(.event(.notification(.newAccessLogEntry(core))))
      case .logError(let id, let error):
        guard let core = cores[id] else { continue }
        core.logError(error, now: now)
        others.append(.event(.notification(.newErrorLogEntry(core))))
      }
    }
    if !edges.isEmpty {
      state.driver.append(.observe(edges, state.machine.state.current, state.machine.state.rate))
    }
    if state.machine.state != state.shown {
      let old = state.snapshot
      state.shown = state.machine.state
      state.snapshot = PlayerSnapshot(state.shown, items: state.shown.queue.compactMap { state.cores[$0] })
      events.append(.event(.playerChanged(old: old, new: state.snapshot)))
    }
    if state.machine.isClosed {
      state.driver.append(.closeObservers)
      state.app.silence()
      others.removeAll { if case .event = $0 { true } else { false } }
      events = []
    }
    state.app.append(events + others, owner: effects.thread)
  }

  private static func item(of call: PlaybackStateMachine.DriverCall, current: ItemID?) -> ItemID? {
    switch call {
    case .attach(let id, _), .detach(let id), .seek(let id, _): id
    case .run: current
    default: nil
    }
  }

  // MARK: Lanes

  func drainDriver() {
    while let calls = state.withLock({ $0.driver.begin() }) {
      for call in calls { perform(call) }
      state.withLock { $0.driver.finish() }
    }
  }

  func drainApp(thread: UInt?) {
    let me = thread ?? CallingThread.id
    if thread != nil {
      let isMain = CallingThread.isMain
      runApp(thread: me, isMain: isMain)
      let completions = state.withLock { $0.app.surrender(thread: me) }
      for work in completions { run(work) }
    }
    askMain()
  }

  private func runApp(thread: UInt, isMain: Bool) {
    while let work = state.withLock({ $0.app.begin(thread: thread, isMain: isMain) }) {
      run(work)
      state.withLock { $0.app.finish() }
    }
  }

  private func run(_ work: AppLane.Work) {
    switch work {
    case .event(let event): eventHandler?(event)
    case .completion(let completion, let finished): completion(finished)
    }
  }

  private func askMain() {
    guard state.withLock({ $0.app.askMain() }) else { return }
    environment.scheduler.deliver("player events", to: nil) { [self] in
      state.withLock { $0.app.mainHasCome() }
      runApp(thread: CallingThread.id, isMain: true)
      askMain()
    }
  }

  private func perform(_ call: DriverLane.Call) {
    switch call {
    case .driver(let call, let id, let item): perform(call, id, item)
    case .add(let output, let id): driver.add(output, to: id)
    case .remove(let output, let id): driver.remove(output, from: id)
    case .addSubtitles(let output, let id): driver.add(output, to: id)
    case .removeSubtitles(let output, let id): driver.remove(output, from: id)
    case .observe(let edges, let id, let rate):
      observers.take(edges, item: id, rate: rate)
      for edge in edges { logWatching(edge, id) }
    case .logPlaying(let item, let id):
      item.logPlaying(
        at: driver.currentTime(of: id), now: environment.scheduler.now, driver.counters(of: id))
    case .armEvaluation(let number):
      let ticket = Ticket()
      state.withLock { $0.evaluation = ticket }
      queue.post("evaluation due", after: PlaybackStateMachine.evaluationTime, ticket: ticket) { [weak self] in
        self?.process(thread: nil) { _ in .evaluationDue(number) }
      }
    case .disarmEvaluation:
      state.withLock { state in
        state.evaluation?.cancel()
        state.evaluation = nil
      }
    case .closeObservers:
      observers.close()
      queue.close()
    }
  }

  private func perform(_ call: PlaybackStateMachine.DriverCall, _ id: ItemID?, _ item: ItemCore?) {
    switch call {
    case .attach(let id, let configuration):
      guard let item else { return }
      driver.attach(id, asset: item.asset, configuration: configuration)
      for output in item.outputs { driver.add(output, to: id) }
      for output in item.subtitleOutputs { driver.add(output, to: id) }
    case .detach(let id):
      item?.rest(at: driver.currentTime(of: id), driver.counters(of: id))
      driver.detach(id)
    case .setCurrent(let id, let upcoming): driver.setCurrent(id, upcoming: upcoming)
    case .run(let rate, let time, let hostTime):
      if time != nil, let id { item?.endPeriod(at: driver.currentTime(of: id), driver.counters(of: id)) }
      driver.run(rate: rate, from: time, at: hostTime)
    case .halt: driver.halt()
    case .seek(let id, let request):
      item?.endPeriod(at: driver.currentTime(of: id), driver.counters(of: id))
      driver.seek(id, request)
    case .reconfigure(let id, let configuration): driver.reconfigure(id, configuration)
    case .setGain(let gain): driver.setGain(gain)
    case .step(let id, let count, let number): driver.step(id, by: count, id: number)
    case .preroll(let id, let rate): driver.preroll(id, rate: rate)
    case .close: driver.close()
    }
  }

  private func logWatching(_ edge: ObserverEdge, _ id: ItemID?) {
    guard edge == .started || edge == .stopped, let id, let core = state.withLock({ $0.cores[id] }) else { return }
    core.logWatching(edge == .started, at: currentTime(of: id))
  }
}

extension PlayerSnapshot {
  init(_ state: PlayerState, items: [ItemCore]) {
    self.init()
    status = state.status
    rate = state.rate
    defaultRate = state.defaultRate
    timeControl = state.timeControl
    waitingReason = state.waitingReason
    self.items = items
    actionAtItemEnd = state.actionAtItemEnd
    automaticallyWaits = state.automaticallyWaits
    volume = state.volume
    isMuted = state.isMuted
  }
}

extension PlaybackStateMachine.Notice {
  func named(by cores: [ItemID: ItemCore]) -> PlayerNotification? {
    switch self {
    case .didPlayToEnd(let id): cores[id].map { .didPlayToEnd($0) }
    case .failedToPlayToEnd(let id, let error): cores[id].map { .failedToPlayToEnd($0, error) }
    case .playbackStalled(let id): cores[id].map { .playbackStalled($0) }
    case .timeJumped(let id): cores[id].map { .timeJumped($0) }
    case .mediaSelectionDidChange(let id): cores[id].map { .mediaSelectionDidChange($0) }
    case .rateDidChange(let reason): .rateDidChange(reason)
    }
  }
}
