/// One thread that blocking queues lease. Guarded by the scheduler's mutex.
final class LeasedThread: @unchecked Sendable {
  var queue: RealQueue?
  /// It shall end at once, however short it has been idle.
  var mustEnd = false
  let wake = PlatformCondition()

  init(_ queue: RealQueue) { self.queue = queue }

  deinit { wake.destroy() }
}

/// The threads of blocking queues: as many as work or block at once, and the idle ones of the last seconds.
struct LeasedThreads {
  private var idle: [LeasedThread] = []
  private var running: [ObjectIdentifier: PlatformThread] = [:]
  /// A thread that is about to end, to be joined by the next that does: none can join itself.
  private var ended: PlatformThread?
  private var isJoinedElsewhere = false

  var count: Int { running.count }
  var idleCount: Int { idle.count }

  /// Gives the queue the thread that became idle last, or a new one.
  mutating func lease(_ queue: RealQueue, _ name: @autoclosure () -> String, of scheduler: RealScheduler) {
    if let thread = idle.popLast() {
      thread.queue = queue
      thread.wake.signal()
      return
    }
    let thread = LeasedThread(queue)
    running[ObjectIdentifier(thread)] = PlatformThread(name(), joinable: true) { [scheduler] in
      scheduler.leasedLoop(thread)
    }
  }

  mutating func idle(_ thread: LeasedThread) { idle.append(thread) }

  /// The thread is about to end. Returns one that ended before it, to be joined outside the lock.
  mutating func end(_ thread: LeasedThread) -> PlatformThread? {
    idle.removeAll { $0 === thread }
    let own = running.removeValue(forKey: ObjectIdentifier(thread))
    guard !isJoinedElsewhere else { return nil }
    defer { ended = own }
    return ended
  }

  /// Wakes the idle ones to end; returns them, and the one that ended before, to be joined by the caller.
  mutating func endIdle() -> [PlatformThread] {
    let threads = idle.compactMap { running.removeValue(forKey: ObjectIdentifier($0)) } + (ended.map { [$0] } ?? [])
    for thread in idle {
      thread.mustEnd = true
      thread.wake.signal()
    }
    idle = []
    ended = nil
    return threads
  }

  /// Wakes the idle ones to end; returns all threads, to be joined by the caller.
  mutating func joinAll() -> [PlatformThread] {
    isJoinedElsewhere = true
    for thread in idle { thread.wake.signal() }
    return Array(running.values) + (ended.map { [$0] } ?? [])
  }
}
