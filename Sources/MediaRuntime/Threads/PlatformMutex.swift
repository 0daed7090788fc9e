import Glibc

/// A pthread mutex at a fixed address. Sanitizers understand it, and a condition can wait on it.
struct PlatformMutex: @unchecked Sendable {
  // The pointer is set once; pthread functions may be called from any thread.
  let pointer: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    pointer = .allocate(capacity: 1)
    pthread_mutex_init(pointer, nil)
  }

  func destroy() {
    pthread_mutex_destroy(pointer)
    pointer.deallocate()
  }

  @inline(__always) func lock() { pthread_mutex_lock(pointer) }
  @inline(__always) func unlock() { pthread_mutex_unlock(pointer) }

  @inline(__always)
  func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A pthread condition whose deadlines are on the monotonic clock.
struct PlatformCondition: @unchecked Sendable {
  // The pointer is set once; pthread functions may be called from any thread.
  let pointer: UnsafeMutablePointer<pthread_cond_t>

  init() {
    pointer = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(pointer, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  func destroy() {
    pthread_cond_destroy(pointer)
    pointer.deallocate()
  }

  func wait(_ mutex: PlatformMutex) { pthread_cond_wait(pointer, mutex.pointer) }

  /// False when the deadline passed.
  func wait(_ mutex: PlatformMutex, until deadline: HostTime) -> Bool {
    let nanoseconds = max(deadline.nanoseconds, 0)
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    return pthread_cond_timedwait(pointer, mutex.pointer, &time) != ETIMEDOUT
  }

  func signal() { pthread_cond_signal(pointer) }
  func broadcast() { pthread_cond_broadcast(pointer) }
}
