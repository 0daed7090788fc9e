internal import Dispatch
import Glibc

/// A run that is driven by the thread which serves the main queue: that thread sleeps here and drains the queue when
/// it is given the baton.
final class MainDriver: @unchecked Sendable {
  // `outcome` is written before the semaphore is posted and read after it was waited for.
  let semaphore = PlatformSemaphore()
  var outcome: VirtualOutcome?

  deinit { semaphore.destroy() }

  private typealias Handle = @convention(c) () -> Int32
  private typealias Callback = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// libdispatch's own door for run loops; `RunLoop.run` would also fire timers, and costs several times as much.
  private static let handle: Int32? = symbol("_dispatch_get_main_queue_handle_4CF", as: Handle.self)?()
  private static let callback = symbol("_dispatch_main_queue_callback_4CF", as: Callback.self)

  private static func symbol<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: type) }
  }

  /// The main queue has something to run.
  static var hasWork: Bool {
    guard let handle else { return false }
    var descriptor = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) == 1
  }

  /// Runs what is on the main queue, on the thread that serves it.
  static func drain() {
    guard let handle, let callback else {
      trap("libdispatch does not let the main queue be drained: run the test on another thread.")
    }
    repeat {
      var count: UInt64 = 0
      _ = read(handle, &count, 8)
      callback(nil)
    } while hasWork
  }

  /// True on the process's first thread, which serves the main queue unless the process has given that up.
  static var isServingThread: Bool { PlatformThread.currentIdentifier == getpid() }

  /// A main-queue block cannot drain the queue that it is on.
  static func checkIsOutsideMainQueueBlocks() {
    final class Probe: Sendable {
      let ran = Lock(false)
    }
    let probe = Probe()
    DispatchQueue.main.async { probe.ran.withLock { $0 = true } }
    drain()
    if !probe.ran.withLock({ $0 }) { trap(advice) }
  }

  static let advice =
    "A virtual run was started synchronously inside a main-queue block or a MainActor task, which then cannot be "
    + "interrupted: write `await drive(…)`, or `await` the asynchronous `runTest`."
}
