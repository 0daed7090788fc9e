/// One line of a virtual scheduler's future.
final class VirtualEntry {
  enum Target {
    case step(VirtualQueue, Entry)
    /// A signal: the waiter shall look at its condition.
    case wake(VirtualWaiter)
    case deadline(VirtualWaiter)
    /// A delivery to an app's queue or, where the scheduler does not own it, to the main queue.
    case app(AppQueue, String, @Sendable () -> Void)
    case main(String, @Sendable () -> Void)
  }

  let target: Target

  init(_ target: Target) { self.target = target }

  /// Skipped when it comes up, without moving time.
  var isVoid: Bool {
    switch target {
    case .step(_, let entry): entry.isCancelled
    case .wake(let waiter), .deadline(let waiter): waiter.isDone
    case .app, .main: false
    }
  }

  var name: String {
    switch target {
    case .step(_, let entry): entry.name
    case .wake(let waiter): "wake \(waiter.gate)"
    case .deadline(let waiter): "deadline \(waiter.gate)"
    case .app(_, let name, _), .main(let name, _): name
    }
  }
}

struct VirtualItem: HeapOrdered {
  let due: Int64
  let number: UInt64
  let entry: VirtualEntry
}
