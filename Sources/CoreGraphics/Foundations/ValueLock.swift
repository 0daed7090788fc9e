import Glibc

/// A state behind a mutex, for the value modules, which lie below the runtime's `Lock`.
///
/// A pthread mutex, because Thread Sanitizer sees it. Held for a few instructions, but for `CVBuffer.lock`, which may copy
/// a whole picture under it; never call out while holding it.
// @unchecked Sendable: `state` is touched only between lock and unlock of `mutex`.
package final class ValueLock<State>: @unchecked Sendable {
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
