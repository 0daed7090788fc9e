internal import Dispatch

/// A virtual scheduler's view of an app's dispatch queue. Guarded by the scheduler's mutex.
final class AppQueue: @unchecked Sendable {
  let queue: DispatchQueue
  unowned let scheduler: VirtualScheduler
  /// The worker that waits for the queue to give the baton back.
  var captured: VirtualWorker?
  /// A delivered block waits at a gate; later deliveries are set aside.
  var blocker: VirtualWaiter?
  var setAside: [VirtualItem] = []

  init(_ queue: DispatchQueue, scheduler: VirtualScheduler) {
    self.queue = queue
    self.scheduler = scheduler
  }

  var label: String { queue.label }
}

/// Sticks to a dispatch queue for good and says which scheduler's delivery it runs. Queues are told apart by it:
/// `DispatchQueue.main` is a new wrapper object at each call, so identity of objects means nothing.
final class AppQueueMark: Sendable {
  static let key = DispatchSpecificKey<AppQueueMark>()
  private static let creation = Lock(())

  /// Whose turn the queue has now, and where: nil for the main queue's.
  struct Turn: @unchecked Sendable {
    // The scheduler lives as long as a turn of it, which one of its threads waits for.
    unowned let scheduler: VirtualScheduler
    let appQueue: AppQueue?
  }

  /// Several only where a scheduler that does not own the main queue meets one that does.
  private let turns = Lock<[Turn]>([])

  func begin(_ turn: Turn) { turns.withLock { $0.append(turn) } }

  func end(of scheduler: VirtualScheduler) {
    let identifier = ObjectIdentifier(scheduler)
    turns.withLock { $0.removeAll { ObjectIdentifier($0.scheduler) == identifier } }
  }

  func turn(of scheduler: VirtualScheduler) -> Turn? {
    let identifier = ObjectIdentifier(scheduler)
    return turns.withLock { turns in turns.first { ObjectIdentifier($0.scheduler) == identifier } }
  }

  /// The scheduler that has given the queue the baton.
  var holder: VirtualScheduler? { turns.withLock { $0.last?.scheduler } }

  static func of(_ queue: DispatchQueue) -> AppQueueMark {
    creation.withLock { _ in
      if let mark = queue.getSpecific(key: key) { return mark }
      let mark = AppQueueMark()
      queue.setSpecific(key: key, value: mark)
      return mark
    }
  }

  /// The mark of the queue that the calling code runs on.
  static var current: AppQueueMark? { DispatchQueue.getSpecific(key: key) }

  static let main = of(.main)
}
