import Foundation
import MediaRuntime

/// Keeps the order of what apps are told where another thread than the main one serves the main queue (`dispatchMain`,
/// an asynchronous `main`).
///
/// Foundation makes the poster of a notification wait for the queue of an observer unless it is on that queue, which for
/// the main queue it tells by the main thread, or by being inside an operation of `OperationQueue.main`. Elsewhere on
/// the main queue it would wait for itself for ever. So there a notification is posted by the main queue's next
/// operation, and what comes after it (changes of properties, completions, notifications) follows behind it.
enum MainQueueOrder {
  private static let held = Lock<[@Sendable () -> Void]>([])

  /// Whether this has to be given to `hold`.
  static func mustHold(posting: Bool, on scheduler: any Scheduler) -> Bool {
    guard !scheduler.isVirtual, CallingThread.isMain else { return false }
    guard !isAtHome else {
      release()
      return false
    }
    return posting || held.withLock { !$0.isEmpty }
  }

  static func hold(_ work: @escaping @Sendable () -> Void) {
    let isFirst = held.withLock { held in
      held.append(work)
      return held.count == 1
    }
    if isFirst { OperationQueue.main.addOperation { release() } }
  }

  /// Foundation can tell that this is the main queue.
  private static var isAtHome: Bool { Thread.isMainThread || OperationQueue.current === OperationQueue.main }

  private static func release() {
    while let work = held.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
  }
}
