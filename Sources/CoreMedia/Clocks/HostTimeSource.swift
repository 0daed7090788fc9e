import CoreGraphics
import Glibc

/// Where host time comes from: `CLOCK_MONOTONIC`, or virtual time under test.
package protocol HostTimeSource: Sendable {
  /// Never goes back. Called on any thread, often; must not wait.
  var nanoseconds: Int64 { get }
}

/// The process's source of host time: `CLOCK_MONOTONIC` until the first virtual scheduler installs the runtime's, which
/// knows virtual time.
package enum HostTimeSources {
  private static let installed = ValueLock<any HostTimeSource>(MonotonicClock())

  package static var current: any HostTimeSource {
    get { installed.withLock { $0 } }
    set { installed.withLock { $0 = newValue } }
  }

  /// The present instant in nanoseconds.
  package static var nanoseconds: Int64 { current.nanoseconds }
}

private struct MonotonicClock: HostTimeSource {
  var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
