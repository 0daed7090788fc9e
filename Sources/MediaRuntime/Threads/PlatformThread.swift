internal import CLinux
import Glibc

/// Starts threads with a name, a bounded stack and no signals, so that a program's handlers run on its own threads.
struct PlatformThread: @unchecked Sendable {
  // A thread's handle is a number; joining is the owner's business.
  private let handle: pthread_t

  /// Decoders and demuxers have been seen to use a few hundred KiB; address space is all that an unused page costs.
  private static let stackBytes = 2 << 20

  /// - Parameter name: at most 15 bytes are kept by the kernel.
  init(_ name: String, joinable: Bool = false, _ body: @escaping @Sendable () -> Void) {
    final class Start {
      let name: String
      let body: @Sendable () -> Void
      init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
      }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Self.stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(joinable ? PTHREAD_CREATE_JOINABLE : PTHREAD_CREATE_DETACHED))
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(Start(name, body)).toOpaque()
    let status = pthread_create(
      &thread, &attributes,
      { @Sendable argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        pthread_setname_np(pthread_self(), String(start.name.prefix(15)))
        start.body()
        return nil
      }, argument)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    pthread_attr_destroy(&attributes)
    guard status == 0 else {
      preconditionFailure("No thread could be started (\(String(cString: strerror(status)))): raise the process limit.")
    }
    handle = thread
  }

  func join() { pthread_join(handle, nil) }

  /// Nobody will join it.
  func detach() { pthread_detach(handle) }

  /// The calling thread's name as the kernel has it.
  static var currentName: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let base = buffer.baseAddress, pthread_getname_np(pthread_self(), base, 64) == 0 else { return "" }
      return String(cString: base)
    }
  }

  static var currentIdentifier: Int32 { linux_thread_id() }
}
