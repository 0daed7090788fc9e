package import Dispatch

/// The engine's only door to time and threads. One real scheduler serves the process; a virtual twin serves tests.
///
/// Contract in both: work on one queue runs serially in the order (due time, posting order); `now` never goes back.
package protocol Scheduler: AnyObject, Sendable {
  /// The present instant.
  var now: HostTime { get }

  /// True for the virtual twin: decoders open with one thread then, and nothing may wait for real time.
  var isVirtual: Bool { get }

  /// A new serial queue. `.light` queues share a pool of `cores` threads and must never wait;
  /// a `.blocking` queue leases a thread of its own while it has work, and is the only kind that may wait at a `Gate`.
  func queue(_ label: String, _ kind: SerialQueue.Kind) -> SerialQueue

  /// Runs `work` on an app's queue (nil: the main queue). The only way by which the engine enters dispatch.
  func deliver(_ name: String, to queue: DispatchQueue?, _ work: @escaping @Sendable () -> Void)

  /// Adds a line to the trace (virtual) or to the log at trace level (real).
  func note(_ line: @autoclosure () -> String)
}
