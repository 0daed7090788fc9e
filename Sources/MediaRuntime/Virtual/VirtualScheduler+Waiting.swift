/// What a gate needs of a virtual scheduler, in the order of a wait.
extension VirtualScheduler {
  var isEnding: Bool { mutex.withLock { isShuttingDown } }

  /// Traps for a light queue; false for a foreign thread, whose wait ends the run.
  func mayWait(_ place: Place, _ gate: String, _ why: String) -> Bool {
    switch place {
    case .step(let queue):
      if queue.kind != .blocking {
        trap("The queue “\(queue.label)” must not wait, yet does at gate “\(gate)” (\(why)): make it a blocking one.")
      }
      return true
    case .app, .main, .driver: return true
    case .foreign:
      mutex.withLock { recordForeign(.wait, gate, why) }
      return false
    }
  }

  func prepare(_ waiter: VirtualWaiter, _ place: Place) {
    mutex.lock()
    defer { mutex.unlock() }
    waiter.place = place
    waiter.since = now
    if case .driver = place { return }
    if let deadline = waiter.deadline, deadline > now { insert(deadline.nanoseconds, .deadline(waiter)) }
  }

  /// Sleeps until the gate is signalled or the deadline comes; false if the wait has to be given up.
  func sleep(_ waiter: VirtualWaiter, isSignalled: @escaping () -> Bool) -> Bool {
    guard case .driver = waiter.place else {
      block(waiter)
      return mutex.withLock { !waiter.isAborted }
    }
    switch driveWait(waiter, isSignalled: isSignalled) {
    case .condition, .limit: return true
    case .idle where waiter.deadline != nil, .deadlock where waiter.deadline != nil:
      if let deadline = waiter.deadline { setClock(max(deadline.nanoseconds, now.nanoseconds)) }
      return true
    case let outcome:
      Log.runtime.error("The test's thread waits at gate “\(waiter.gate)” for \(waiter.why): \(outcome)")
      return false
    }
  }

  func end(_ waiter: VirtualWaiter) {
    mutex.withLock {
      waiter.isDone = true
      waiter.holds = nil
    }
  }
}
