import Synchronization

/// Cancels the entries that were posted with it. A cancelled entry is skipped when it comes up; it does not move time.
package final class Ticket: Sendable {
  private let cancelled = Atomic(false)

  package init() {}

  package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Safe from any thread. A step that already runs is not stopped.
  package func cancel() { cancelled.store(true, ordering: .releasing) }
}
