/// A real scheduler's side of a queue. Everything mutable is guarded by the scheduler's mutex.
final class RealQueue: QueueCore, @unchecked Sendable {
  enum Activity {
    case idle
    /// Among the pool's ready queues, or waiting for its leased thread to start.
    case ready
    /// A step runs, or its thread is about to look for the next one.
    case running
  }

  let label: String
  let kind: SerialQueue.Kind
  private let scheduler: RealScheduler

  var entries = EntryHeap<Entry>()
  var activity = Activity.idle
  var isClosed = false
  /// The earliest time for which a timer of this queue is in the scheduler's list.
  var timer = Int64.max

  init(label: String, kind: SerialQueue.Kind, scheduler: RealScheduler) {
    self.label = label
    self.kind = kind
    self.scheduler = scheduler
  }

  func post(_ name: String, after delay: Nanoseconds, ticket: Ticket?, outlivesClose: Bool, work: Entry.Work) {
    scheduler.post(name, on: self, after: delay, ticket: ticket, outlivesClose: outlivesClose, work: work)
  }

  func close() { scheduler.close(self) }

  func owning<Result>(_ body: () -> Result) -> Result { body() }

  /// Takes cancelled entries off the top, so that no timer is kept for them; returns them to be freed outside the lock.
  func dropCancelled() -> [Entry] {
    var dropped: [Entry] = []
    while let first = entries.first, first.isCancelled, let entry = entries.popFirst() { dropped.append(entry) }
    return dropped
  }
}
