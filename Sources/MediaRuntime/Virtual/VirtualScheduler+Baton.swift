/// The choice of what runs next, and the threads that run it.
extension VirtualScheduler {
  /// Who holds the baton and asks for what is next.
  enum Holder {
    case worker(VirtualWorker)
    /// A thread that is about to sleep at a gate.
    case waiter(VirtualWaiter)
  }

  // MARK: Choosing

  /// Picks the next action. Called by the holder of the baton, who loses it when the action is not his to do: from
  /// then on he touches nothing but his own semaphore.
  func next(_ holder: Holder) -> Action {
    if let until = run?.until, until() { return finish(holder, .condition) }
    mutex.lock()
    if let pendingOutcome, mainBlocker == nil {
      self.pendingOutcome = nil
      mutex.unlock()
      return finish(holder, pendingOutcome)
    }
    if isShuttingDown {
      guard let waiter = waiting.first else { return finishLocked(holder, .idle) }
      waiter.isAborted = true
      return resume(waiter, holder)
    }
    if options.strictForeign, let report = foreign {
      foreign = nil
      return finishLocked(holder, .foreign(report))
    }
    if mainState == .driver, mainBlocker == nil, MainDriver.hasWork {
      mutex.unlock()
      return .main(nil)
    }
    return nextEntry(holder)
  }

  private func nextEntry(_ holder: Holder) -> Action {
    while let top = heap.first {
      if top.entry.isVoid {
        discardTop()
        continue
      }
      if top.due > now.nanoseconds {
        if givesMainATurn(rounds: 2) { return .main(nil) }
        if let limit = run?.limit, top.due > limit {
          setTime(limit)
          return finishLocked(holder, .limit)
        }
        jump = max(jump, top.due - now.nanoseconds)
        setTime(top.due)
      }
      _ = heap.popFirst()
      if let action = action(top, holder) { return action }
    }
    if givesMainATurn(rounds: 8) { return .main(nil) }
    guard !waiting.isEmpty else { return finishLocked(holder, .idle) }
    let waits = waiting
    mutex.unlock()
    return finish(holder, .deadlock(report(waits)))
  }

  /// Nil if the entry was set aside or needs nothing. Called under the mutex; unlocks if there is an action.
  private func action(_ item: VirtualItem, _ holder: Holder) -> Action? {
    switch item.entry.target {
    case .step(let queue, let entry):
      guard queue.blocker == nil else {
        queue.setAside.append(item)
        return nil
      }
      guard queue.busyUntil <= now.nanoseconds else {
        // A new number keeps the order in which they came up.
        insert(queue.busyUntil, item.entry.target)
        return nil
      }
      count(.step, queue.label, entry.name)
      mutex.unlock()
      return .step(queue, entry)
    case .wake(let waiter), .deadline(let waiter):
      // The driver's own wait is a run with a condition and a limit.
      if case .driver = waiter.place { return nil }
      return resume(waiter, holder)
    case .app(let queue, let name, let work):
      guard queue.blocker == nil else {
        queue.setAside.append(item)
        return nil
      }
      count(.deliver, queue.label, name)
      mutex.unlock()
      return .app(queue, work)
    case .main(let name, let work):
      guard mainBlocker == nil, mainState != .busy else {
        mainSetAside.append(item)
        return nil
      }
      count(.main, "main", name)
      mainRounds = 0
      mutex.unlock()
      return .main(work)
    }
  }

  private func discardTop() {
    guard let item = heap.popFirst() else { return }
    // What the entry's closure captured may post in its deinit.
    mutex.unlock()
    withExtendedLifetime(item) {}
    mutex.lock()
  }

  /// MainActor code and blocks that found their way to the parked main queue run before time moves.
  private func givesMainATurn(rounds: Int) -> Bool {
    guard options.ownsMain, mainState == .parked || mainState == .free, mainBlocker == nil, mainRounds < rounds else {
      return false
    }
    mainRounds += 1
    mutex.unlock()
    return true
  }

  private func setTime(_ time: Int64) {
    guard time > now.nanoseconds else { return }
    setClock(time)
    stepsAtInstant = 0
    mainRounds = 0
  }

  private func count(_ kind: Trace.Kind, _ queue: String, _ name: String) {
    trace.add(kind, at: elapsed.count, queue, name)
    stepCount += 1
    stepsAtInstant += 1
    if kind != .main { mainRounds = 0 }
    if stepsAtInstant > options.maxStepsPerInstant {
      trap(
        "\(stepsAtInstant) steps without time moving, the last one is “\(name)” on “\(queue)”: it posts itself anew.")
    }
  }

  // MARK: Waiting

  /// Gives the baton away until the waiter is resumed. The caller has put it into its gate's list.
  func block(_ waiter: VirtualWaiter) {
    mutex.lock()
    waiting.append(waiter)
    trace.add(.wait, at: elapsed.count, waiter.place.label, "\(waiter.gate): \(waiter.why)")
    switch waiter.place {
    case .step(let queue): queue.blocker = waiter
    case .app(let queue): queue.blocker = waiter
    case .main: mainBlocker = waiter
    case .driver, .foreign: break
    }
    mutex.unlock()
    let action = next(.waiter(waiter))
    switch action {
    case .resume(let other) where other === waiter: return
    case .resume(let other): other.semaphore.post()
    case .finished: break
    default: hand(action)
    }
    waiter.semaphore.wait()
  }

  /// Takes the waiter out of the list and puts its queue's entries back. Called under the mutex; unlocks.
  private func resume(_ waiter: VirtualWaiter, _ holder: Holder) -> Action {
    waiting.removeAll { $0 === waiter }
    count(.wake, waiter.place.label, waiter.gate)
    switch waiter.place {
    case .step(let queue):
      queue.blocker = nil
      putBack(&queue.setAside)
    case .app(let queue):
      queue.blocker = nil
      putBack(&queue.setAside)
    case .main:
      mainBlocker = nil
      putBack(&mainSetAside)
    case .driver, .foreign: break
    }
    if case .worker(let worker) = holder { idleWorkers.append(worker) }
    mutex.unlock()
    return .resume(waiter)
  }

  func putBack(_ items: inout [VirtualItem]) {
    for item in items { heap.insert(item) }
    items = []
  }

  // MARK: Ending a run

  private func finish(_ holder: Holder, _ outcome: VirtualOutcome) -> Action {
    mutex.lock()
    return finishLocked(holder, outcome)
  }

  /// Called under the mutex; unlocks.
  private func finishLocked(_ holder: Holder, _ outcome: VirtualOutcome) -> Action {
    if mainState == .driver, let blocker = mainBlocker {
      // The driver itself waits in a block of the main queue: that wait is given up, then the run ends.
      pendingOutcome = outcome
      blocker.isAborted = true
      return resume(blocker, holder)
    }
    if case .worker(let worker) = holder { idleWorkers.append(worker) }
    let finish = run?.finish
    run = nil
    let unparks = mainState == .parked
    switch mainState {
    case .parked, .driver, .busy:
      mainState = .free
      mainDriver = nil
      putBack(&mainSetAside)
    case .free, .parking, .turn: break
    }
    mutex.unlock()
    if unparks { mainPark.post() }
    // What resumes the test must not be taken for a step's plain task.
    let thread = ThreadState.current
    thread.isEndingRun = true
    finish?(outcome)
    thread.isEndingRun = false
    return .finished
  }

  private func report(_ waits: [VirtualWaiter]) -> DeadlockReport {
    DeadlockReport(
      time: elapsed,
      waits: waits.map { waiter in
        let holds = waiter.holds?() ?? false
        let behind = mutex.withLock { () -> [VirtualItem] in
          switch waiter.place {
          case .step(let queue): queue.setAside
          case .app(let queue): queue.setAside
          case .main: mainSetAside
          case .driver, .foreign: []
          }
        }
        return DeadlockReport.Wait(
          queue: waiter.place.label, gate: waiter.gate, why: waiter.why,
          since: waiter.since - HostTime(nanoseconds: Self.start), conditionHolds: holds,
          behind: behind.map(\.entry.name))
      })
  }

  // MARK: Workers

  /// Gives the baton and an action to a worker.
  func hand(_ action: Action) {
    mutex.lock()
    let worker = idleWorkers.popLast() ?? newWorker()
    mutex.unlock()
    worker.assignment = action
    worker.semaphore.post()
  }

  private func newWorker() -> VirtualWorker {
    let worker = VirtualWorker()
    let identifier = ObjectIdentifier(self)
    let pins = options.pinsCPU
    workers.append(worker)
    worker.thread = PlatformThread("sprocket.virtual", joinable: true) {
      if pins { Affinity.current?.single.apply() }
      let thread = ThreadState.current
      thread.role = .virtual
      thread.scheduler = identifier
      thread.worker = worker
      while true {
        worker.semaphore.wait()
        if worker.ends { return }
        // The scheduler lives as long as something has the baton; an idle worker does not keep it.
        VirtualSchedulers.find(identifier)?.work(worker, thread)
      }
    }
    return worker
  }

  private func work(_ worker: VirtualWorker, _ thread: ThreadState) {
    thread.holdsBaton = true
    var action = worker.assignment ?? .finished
    worker.assignment = nil
    while true {
      switch action {
      case .step(let queue, let entry): step(queue, entry, thread)
      case .app(let queue, let work): turn(of: queue, work, worker)
      case .main(let work): mainTurn(work, worker)
      case .begin: if mustPark { mainTurn(nil, worker) }
      case .resume(let waiter):
        waiter.semaphore.post()
        return
      case .finished: return
      }
      action = next(.worker(worker))
    }
  }

  private var mustPark: Bool { mutex.withLock { mainState == .parking } }

  private func step(_ queue: VirtualQueue, _ entry: Entry, _ thread: ThreadState) {
    thread.queue = queue
    // What a task starts inherits from the task.
    if case .closure(let body) = entry.work { owning(body) } else { entry.run() }
    thread.queue = nil
    if thread.heldLocks != 0 { HeldLocks.assertNone("after the step “\(entry.name)” of “\(queue.label)”") }
  }
}
