import Foundation
import MediaRuntime

/// Keeps the order of what apps are told where another thread than the main one serves the main queue (`dispatchMain`,
/// an asynchronous `main`).
///
/// Foundation makes the poster of a notification wait for the queue of an observer unless it is on that queue, which for
/// the main queue it tells by the main thread, or by being inside an operation of `OperationQueue.main`. Elsewhere on
/// the main queue it would wait for itself for ever. So there a notification is posted by the main queue's next
/// operation, and what comes after it (changes of properties, completions, notifications) follows behind it.
///
/// In a virtual world that next operation is a turn of the main queue which the world itself gives.
enum MainQueueOrder {
  /// What one scheduler's players have to tell. It may go before that is told.
  private struct World {
    weak var scheduler: (any Scheduler)?
    var works: [@Sendable () -> Void] = []
  }

  private static let held = Lock<[ObjectIdentifier: World]>([:])

  /// Whether this has to be given to `hold`.
  static func mustHold(posting: Bool, on scheduler: any Scheduler) -> Bool {
    guard CallingThread.isMain else { return false }
    guard !isAtHome else {
      release(scheduler)
      return false
    }
    return posting || held.withLock { $0[ObjectIdentifier(scheduler)]?.scheduler != nil }
  }

  static func hold(on scheduler: any Scheduler, _ work: @escaping @Sendable () -> Void) {
    let isFirst = held.withLock { held in
      var world = held[ObjectIdentifier(scheduler)] ?? World()
      // Another one has lived at its address.
      if world.scheduler == nil { world = World(scheduler: scheduler) }
      world.works.append(work)
      held[ObjectIdentifier(scheduler)] = world
      return world.works.count == 1
    }
    guard isFirst else { return }
    if scheduler.isVirtual {
      scheduler.deliver("what was held", to: nil) { [weak scheduler] in scheduler.map(release) }
    } else {
      OperationQueue.main.addOperation { release(scheduler) }
    }
  }

  /// Foundation can tell that this is the main queue.
  private static var isAtHome: Bool { Thread.isMainThread || OperationQueue.current === OperationQueue.main }

  private static func release(_ scheduler: any Scheduler) {
    let key = ObjectIdentifier(scheduler)
    func next() -> (@Sendable () -> Void)? {
      held.withLock { held in
        guard var world = held[key], world.scheduler != nil, !world.works.isEmpty else {
          held[key] = nil
          return nil
        }
        let work = world.works.removeFirst()
        held[key] = world
        return work
      }
    }
    while let work = next() { work() }
  }
}
