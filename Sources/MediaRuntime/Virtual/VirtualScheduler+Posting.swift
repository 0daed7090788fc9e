package import Dispatch

extension VirtualScheduler {
  func post(
    _ name: String, on queue: VirtualQueue, after delay: Nanoseconds, ticket: Ticket?, outlivesClose: Bool,
    work: Entry.Work
  ) {
    let place = place
    mutex.lock()
    defer { mutex.unlock() }
    if case .foreign = place { recordForeign(.post, queue.label, name) }
    guard !isShuttingDown, !queue.isClosed || outlivesClose else { return }
    let due = queue.isClosed ? now.nanoseconds : due(after: delay)
    // The item carries the order; the entry's own fields matter to real queues only.
    let entry = Entry(due: due, number: 0, name: name, ticket: ticket, outlivesClose: outlivesClose, work: work)
    insert(due, .step(queue, entry))
  }

  package func deliver(_ name: String, to queue: DispatchQueue?, _ work: @escaping @Sendable () -> Void) {
    let place = place
    let mark = AppQueueMark.of(queue ?? .main)
    mutex.lock()
    defer { mutex.unlock() }
    if case .foreign = place { recordForeign(.post, (queue ?? .main).label, name) }
    guard !isShuttingDown else { return }
    let isMain = mark === AppQueueMark.main
    if isMain, options.ownsMain {
      insert(now.nanoseconds, .main(name, work))
      return
    }
    let identifier = ObjectIdentifier(mark)
    let appQueue = appQueues[identifier] ?? AppQueue(queue ?? .main, scheduler: self)
    appQueues[identifier] = appQueue
    insert(now.nanoseconds, .app(appQueue, name, work))
  }

  /// The waiter's gate has been signalled; called under the gate's lock.
  func postWake(_ waiter: VirtualWaiter) {
    mutex.lock()
    defer { mutex.unlock() }
    insert(now.nanoseconds, .wake(waiter))
  }

  /// Ends the run if the calling thread may not use the scheduler now.
  func checkForeign(_ action: ForeignReport.Action, _ target: String, _ name: String) {
    guard case .foreign = place else { return }
    mutex.withLock { recordForeign(action, target, name) }
  }

  func close(_ queue: VirtualQueue) {
    mutex.lock()
    var dropped: [VirtualItem] = []
    queue.isClosed = true
    for item in heap.removeAll() {
      guard case .step(let owner, let entry) = item.entry.target, owner === queue, item.due > now.nanoseconds else {
        heap.insert(item)
        continue
      }
      if entry.outlivesClose {
        heap.insert(VirtualItem(due: now.nanoseconds, number: item.number, entry: item.entry))
      } else {
        dropped.append(item)
      }
    }
    mutex.unlock()
    withExtendedLifetime(dropped) {}
  }

  /// The step that calls this costs so much time: its queue's next step begins that much later, other queues go on.
  ///
  /// Steps take no virtual time by themselves; this is how a test's decoder is slow. Elsewhere than in a step it does
  /// nothing.
  package func spend(_ duration: Nanoseconds) {
    guard case .step(let queue) = place else { return }
    mutex.lock()
    defer { mutex.unlock() }
    let (end, overflow) = max(queue.busyUntil, now.nanoseconds).addingReportingOverflow(max(duration.count, 0))
    queue.busyUntil = overflow ? .max : end
  }

  // MARK: Under the mutex

  func insert(_ due: Int64, _ target: VirtualEntry.Target) {
    number += 1
    heap.insert(VirtualItem(due: due, number: number, entry: VirtualEntry(target)))
  }

  func due(after delay: Nanoseconds) -> Int64 {
    let (sum, overflow) = now.nanoseconds.addingReportingOverflow(max(delay.count, 0))
    return overflow ? .max : sum
  }

  func recordForeign(_ action: ForeignReport.Action, _ target: String, _ name: String) {
    foreignUses += 1
    guard foreign == nil else { return }
    foreign = ForeignReport(
      action: action, target: target, name: name,
      thread: "\(PlatformThread.currentName) \(PlatformThread.currentIdentifier)",
      onMainQueue: AppQueueMark.current === AppQueueMark.main, time: elapsed, stack: CallStack.symbols())
  }

  // MARK: Who calls

  /// What the calling thread is to this scheduler. Takes the mutex.
  var place: Place {
    let thread = ThreadState.current
    let isOurs = thread.scheduler == ObjectIdentifier(self)
    if isOurs, thread.worker != nil, let queue = thread.queue {
      return .step(unsafeDowncast(queue, to: VirtualQueue.self))
    }
    if isOurs, thread.holdsBaton, let queue = thread.appQueue { return .app(queue) }
    if thread.role == .foreign, let mark = AppQueueMark.current {
      if let turn = mark.turn(of: self) {
        return turn.appQueue.map(Place.app) ?? .main
      }
      if mark === AppQueueMark.main, mutex.withLock({ mainState == .parking }) { return .main }
    }
    if mutex.withLock({ run == nil }) { return .driver }
    return isOurs ? .driver : .foreign
  }
}
