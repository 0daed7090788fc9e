import CoreMedia
import Dispatch
import MediaRuntime

/// Keeps a time observer going. Let go of it, or give it to `removeObserver`, to end it.
package final class ObserverToken: Sendable {
  let observer: TimeObserver
  private let remove: @Sendable () -> Void

  init(_ observer: TimeObserver, remove: @escaping @Sendable () -> Void) {
    self.observer = observer
    self.remove = remove
  }

  deinit { remove() }
}

/// One observer: what it watches for, where its block runs.
final class TimeObserver: Sendable {
  enum Kind: Sendable {
    case periodic(CMTime)
    /// Ascending.
    case boundary([CMTime])
  }

  let kind: Kind
  let queue: DispatchQueue?
  private let block: Lock<(@Sendable (CMTime) -> Void)?>

  init(_ kind: Kind, _ queue: DispatchQueue?, _ block: @escaping @Sendable (CMTime) -> Void) {
    self.kind = kind
    self.queue = queue
    self.block = Lock(block)
  }

  /// Runs the block, unless the observer was ended meanwhile. On the observer's queue.
  func call(_ time: CMTime) {
    let block = block.withLock { $0 }
    block?(time)
  }

  /// The block is not called again, save by a call that has taken it already; frees it.
  func end() {
    // Freed after unlocking: what the block holds may call back.
    let old = block.withLock { block -> (@Sendable (CMTime) -> Void)? in
      defer { block = nil }
      return block
    }
    withExtendedLifetime(old) {}
  }
}
