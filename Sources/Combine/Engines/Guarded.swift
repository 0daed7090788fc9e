import MediaRuntime

/// State behind a `Lock` whose values need not be Sendable: Combine's types promise nothing of the values they carry,
/// and who sends them from several threads answers for that, as at Apple's.
///
/// Nothing is called, and nothing that may be the last reference is let go of, while the lock is held: use `exchange`,
/// `take`, or return what was replaced.
struct Guarded<State>: ~Copyable, @unchecked Sendable {
  // @unchecked Sendable: the state is reached through the lock alone.
  private let lock: Lock<GuardedBox<State>>

  init(_ state: State) {
    lock = Lock(GuardedBox(value: state))
  }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    lock.withLock { box in GuardedBox(value: body(&box.value)) }.value
  }

  /// Puts another state in; the one before is the caller's to let go of.
  func exchange(_ state: State) -> State {
    withLock { current in
      let before = current
      current = state
      return before
    }
  }
}

extension Guarded {
  func take<Value>() -> Value? where State == Value? {
    exchange(nil)
  }
}

/// What a lock keeps, and gives out.
// @unchecked Sendable: see `Guarded`. (Not nested in it: Swift 6.3's code generator fails on that.)
struct GuardedBox<Value>: @unchecked Sendable {
  var value: Value
}
