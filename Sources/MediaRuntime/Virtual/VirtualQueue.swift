/// A virtual scheduler's side of a queue. Everything mutable is guarded by the scheduler's mutex.
final class VirtualQueue: QueueCore, @unchecked Sendable {
  let label: String
  let kind: SerialQueue.Kind
  let scheduler: VirtualScheduler
  /// The wait inside the step that has begun: the queue is blocked, its entries are set aside as they come up.
  var blocker: VirtualWaiter?
  var setAside: [VirtualItem] = []
  /// Until then the last step counts as running: `VirtualScheduler.spend`.
  var busyUntil: Int64 = 0
  var isClosed = false

  init(label: String, kind: SerialQueue.Kind, scheduler: VirtualScheduler) {
    self.label = label
    self.kind = kind
    self.scheduler = scheduler
  }

  func post(_ name: String, after delay: Nanoseconds, ticket: Ticket?, outlivesClose: Bool, work: Entry.Work) {
    scheduler.post(name, on: self, after: delay, ticket: ticket, outlivesClose: outlivesClose, work: work)
  }

  func close() { scheduler.close(self) }

  func owning<Result>(_ body: () -> Result) -> Result { scheduler.owning(body) }
}
