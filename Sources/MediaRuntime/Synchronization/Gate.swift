/// How a wait at a `Gate` ended.
package enum GateResult<Value> {
  case value(Value)
  case timedOut
  /// The scheduler is shutting down: give up and return.
  case aborted
}

extension GateResult: Sendable where Value: Sendable {}

/// State on whose change a thread can wait: the only place in the engine where a thread may block.
///
/// A waiter is woken by a **signal** and then looks at its condition; a change without a signal leaves it asleep, in
/// production (where that is a hang) as on virtual time (where it is reported as a deadlock).
/// Only a blocking queue's step, or a caller of one of Apple's synchronous getters, may wait.
package final class Gate<State>: @unchecked Sendable {
  // All access to the state goes through the mutex.
  package let name: String
  private let mutex = PlatformMutex()
  private let condition = PlatformCondition()
  private var state: State
  private var waiting = 0
  private let virtual: VirtualScheduler?
  private var waiters: [VirtualWaiter] = []

  package init(_ scheduler: any Scheduler, _ name: String, _ state: State) {
    self.name = name
    virtual = scheduler as? VirtualScheduler
    self.state = state
  }

  deinit {
    condition.destroy()
    mutex.destroy()
  }

  /// Reads or changes the state.
  /// - Parameter signal: whether waiters shall look at their conditions afterwards.
  @discardableResult
  package func withLock<Result>(signal: Bool = false, _ body: (inout State) throws -> Result) rethrows -> Result {
    let counter = HeldLocks.enter()
    mutex.lock()
    defer {
      if signal { wakeWaiters() }
      mutex.unlock()
      HeldLocks.leave(counter)
    }
    return try body(&state)
  }

  /// Makes every waiter look at its condition.
  package func signal() { withLock(signal: true) { _ in } }

  /// Waits until `ready` holds, then takes a value out of the state, both under the lock.
  /// - Parameters:
  ///   - why: what the caller waits for, in words: the deadlock report shows it.
  ///   - deadline: nil waits without limit.
  package func wait<Value>(
    _ why: String, deadline: HostTime? = nil, ready: @escaping @Sendable (State) -> Bool,
    take: (inout State) -> Value
  ) -> GateResult<Value> {
    HeldLocks.assertNone("at gate “\(name)” (\(why))")
    if let virtual { return wait(why, deadline, ready, take, on: virtual) }
    assert(ThreadState.current.role != .pool, "A pool thread must not wait, yet does at gate “\(name)” (\(why)).")
    mutex.lock()
    defer { mutex.unlock() }
    waiting += 1
    defer { waiting -= 1 }
    while !ready(state) {
      guard let deadline else {
        condition.wait(mutex)
        continue
      }
      if !condition.wait(mutex, until: deadline), !ready(state) { return .timedOut }
    }
    return .value(take(&state))
  }

  /// Called under the mutex.
  private func wakeWaiters() {
    guard let virtual else {
      if waiting > 0 { condition.broadcast() }
      return
    }
    virtual.checkForeign(.signal, name, "signal")
    for waiter in waiters where !waiter.isSignalled {
      waiter.isSignalled = true
      virtual.postWake(waiter)
    }
  }

  // MARK: Virtual time

  private func wait<Value>(
    _ why: String, _ deadline: HostTime?, _ ready: @escaping @Sendable (State) -> Bool, _ take: (inout State) -> Value,
    on scheduler: VirtualScheduler
  ) -> GateResult<Value> {
    let place = scheduler.place
    mutex.lock()
    if ready(state) {
      defer { mutex.unlock() }
      return .value(take(&state))
    }
    if scheduler.isEnding || !scheduler.mayWait(place, name, why) {
      mutex.unlock()
      return .aborted
    }
    let waiter = VirtualWaiter(gate: name, why: why, deadline: deadline) { [self] in
      mutex.withLock { ready(state) }
    }
    waiters.append(waiter)
    mutex.unlock()
    scheduler.prepare(waiter, place)
    while true {
      if let deadline, deadline <= scheduler.now { return end(waiter, scheduler) { .timedOut } }
      guard scheduler.sleep(waiter, isSignalled: { [self] in mutex.withLock { waiter.isSignalled } }) else {
        return end(waiter, scheduler) { .aborted }
      }
      mutex.lock()
      if ready(state) {
        let value = take(&state)
        mutex.unlock()
        return end(waiter, scheduler) { .value(value) }
      }
      waiter.isSignalled = false
      mutex.unlock()
    }
  }

  private func end<Value>(
    _ waiter: VirtualWaiter, _ scheduler: VirtualScheduler, _ result: () -> GateResult<Value>
  ) -> GateResult<Value> {
    mutex.withLock { waiters.removeAll { $0 === waiter } }
    scheduler.end(waiter)
    return result()
  }
}
