import Synchronization

#if !SPROCKET_SANITIZER
  /// State behind a lock that is never held across a wait or beyond the end of a step.
  ///
  /// A `Mutex`; in sanitizer builds a pthread mutex, because Thread Sanitizer reports `Mutex` falsely.
  /// Debug builds and virtual schedulers count the locks that a thread holds.
  package struct Lock<State: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<State>

    package init(_ state: consuming sending State) {
      mutex = Mutex(state)
    }

    @inline(__always)
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      let counter = HeldLocks.enter()
      defer { HeldLocks.leave(counter) }
      return try mutex.withLock(body)
    }
  }
#else
  /// State behind a lock; see the other branch. This one is a pthread mutex, which Thread Sanitizer understands.
  package struct Lock<State: ~Copyable>: ~Copyable, @unchecked Sendable {
    // All access to the state goes through the mutex.
    private let mutex = PlatformMutex()
    private let state: UnsafeMutablePointer<State>

    package init(_ state: consuming sending State) {
      self.state = .allocate(capacity: 1)
      self.state.initialize(to: state)
    }

    deinit {
      state.deinitialize(count: 1)
      state.deallocate()
      mutex.destroy()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      let counter = HeldLocks.enter()
      mutex.lock()
      defer {
        mutex.unlock()
        HeldLocks.leave(counter)
      }
      return try body(&state.pointee)
    }
  }
#endif

/// Counts the locks that each thread holds: none may be held at a `Gate`'s wait nor at the end of a step.
package enum HeldLocks {
  /// Set by the first virtual scheduler; release builds without one do not count.
  static let counting = Atomic(false)

  /// Locks that the calling thread holds now (always zero where nothing is counted).
  package static var count: Int { ThreadState.current.heldLocks }

  @inline(__always)
  static func enter() -> ThreadState? {
    #if !DEBUG
      guard counting.load(ordering: .relaxed) else { return nil }
    #endif
    let state = ThreadState.current
    state.heldLocks += 1
    return state
  }

  @inline(__always)
  static func leave(_ state: ThreadState?) {
    state?.heldLocks -= 1
  }

  static func assertNone(_ place: @autoclosure () -> String) {
    let count = ThreadState.current.heldLocks
    if count != 0 { trap("\(count) lock(s) held \(place()): unlock before.") }
  }
}
