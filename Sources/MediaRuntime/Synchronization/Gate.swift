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

  package init(_ scheduler: any Scheduler, _ name: String, _ state: State) {
    self.name = name
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

  private func wakeWaiters() {
    if waiting > 0 { condition.broadcast() }
  }
}
