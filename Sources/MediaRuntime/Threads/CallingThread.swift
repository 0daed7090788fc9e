internal import CLinux
import Dispatch
import Glibc

/// What the caller's thread is, for those who must answer on it.
package enum CallingThread {
  /// Differs from every other thread's that is alive.
  package static var id: UInt { UInt(pthread_self()) }

  /// True on the main queue, and on the main thread while it runs nothing else.
  ///
  /// The queue is asked first, because the main queue may be served by another thread (Swift Testing, `dispatchMain`).
  package static var isMain: Bool {
    DispatchQueue.getSpecific(key: key) == true || getpid() == linux_thread_id()
  }

  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
