import Glibc

/// What the runtime knows about the calling thread.
final class ThreadState {
  enum Role {
    /// Not started here: main, dispatch's workers, the app's threads.
    case foreign
    /// One of the pool's threads: must never wait.
    case pool
    /// A thread leased by a blocking queue.
    case leased
    /// A thread of a virtual scheduler.
    case virtual
  }

  var role = Role.foreign
  /// The queue whose step runs here.
  unowned(unsafe) var queue: (any QueueCore)?
  var heldLocks = 0

  /// The virtual scheduler whose work runs here, or that has adopted this thread.
  var scheduler: ObjectIdentifier?
  /// True while a step or a delivered block of that scheduler runs here, as opposed to an adopted thread.
  var holdsBaton = false
  /// What runs here resumes a test and is no step's doing.
  var isEndingRun = false
  unowned(unsafe) var worker: VirtualWorker?
  /// The app queue whose delivered block runs here.
  unowned(unsafe) var appQueue: AppQueue?

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { @Sendable state in
      guard let state else { return }
      Unmanaged<ThreadState>.fromOpaque(state).release()
    }
    return key
  }()

  static var current: ThreadState {
    if let state = pthread_getspecific(key) {
      return Unmanaged<ThreadState>.fromOpaque(state).takeUnretainedValue()
    }
    let state = ThreadState()
    pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
    return state
  }
}
