internal import CLinux
package import Dispatch
import Glibc

/// The process's scheduler: a pool of `cores` threads that never wait, threads leased to blocking queues, timers.
///
/// Idle pool threads sleep in the kernel on two descriptors, one for posts and one for the earliest timer; the kernel
/// wakes exactly one thread for either, which then runs the step itself. So a timer costs one wake-up, and a process
/// without work has none at all.
package final class RealScheduler: Scheduler, @unchecked Sendable {
  // Everything mutable is guarded by `mutex`.

  /// The one that serves the process.
  package static let shared = RealScheduler(cores: coreCount)

  package let isVirtual = false
  let mutex = PlatformMutex()
  private let name: String
  private let cores: Int
  private let idleLimit: Nanoseconds

  private var number: UInt64 = 0
  private var ready = ReadyList()
  private var timers = EntryHeap<QueueTimer>()
  private var leased = LeasedThreads()
  /// A leased thread has become idle or has ended.
  private let quiet = PlatformCondition()

  private let posted = linux_event_create()
  private let timer = linux_timer_create()
  private let waitSet = linux_wait_set_create()
  private var armed = Int64.max
  private var threads: [PlatformThread] = []
  private var sleeping = 0
  private var wakesUnderway = 0
  private var isShuttingDown = false

  /// Tests make schedulers of their own and shut them down; everybody else uses `shared`.
  /// - Parameters:
  ///   - name: begins its threads' names.
  ///   - cores: threads of the pool.
  ///   - idleLimit: how long a leased thread is kept for the next queue that needs one.
  package init(name: String = "sprocket", cores: Int, idleLimit: Nanoseconds = .seconds(5 as Int64)) {
    self.name = name
    self.cores = max(cores, 1)
    self.idleLimit = idleLimit
    guard posted >= 0, timer >= 0, waitSet >= 0, linux_wait_set_add(waitSet, posted) == 0,
      linux_wait_set_add(waitSet, timer) == 0
    else {
      preconditionFailure("The scheduler got no descriptors (\(String(cString: strerror(errno)))): raise the limit.")
    }
  }

  /// Every thread holds the scheduler, so none is left that could use any of this.
  deinit {
    for descriptor in [posted, timer, waitSet] { Glibc.close(descriptor) }
    quiet.destroy()
    mutex.destroy()
  }

  package var now: HostTime { HostTime(nanoseconds: Self.clock()) }

  package func queue(_ label: String, _ kind: SerialQueue.Kind) -> SerialQueue {
    SerialQueue(label: label, kind: kind, core: RealQueue(label: label, kind: kind, scheduler: self))
  }

  package func deliver(_ name: String, to queue: DispatchQueue?, _ work: @escaping @Sendable () -> Void) {
    (queue ?? DispatchQueue.main).async(execute: work)
  }

  package func note(_ line: @autoclosure () -> String) {
    Log.runtime.trace(line())
  }

  static func clock() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The CPUs that this process may use.
  package static let coreCount: Int = {
    var words = [UInt64](repeating: 0, count: 64)
    let bytes = linux_get_affinity(&words, words.count)
    return bytes > 0 ? max(words.reduce(0) { $0 + $1.nonzeroBitCount }, 1) : 1
  }()

  // MARK: Posting

  func post(
    _ name: String, on queue: RealQueue, after delay: Nanoseconds, ticket: Ticket?, outlivesClose: Bool,
    work: Entry.Work
  ) {
    let present = Self.clock()
    let (sum, overflow) = present.addingReportingOverflow(max(delay.count, 0))
    mutex.lock()
    number += 1
    // A closed queue's sleepers wake at once, also those that go to sleep afterwards.
    let entry = Entry(
      due: queue.isClosed ? present : overflow ? .max : sum, number: number, name: name, ticket: ticket,
      outlivesClose: outlivesClose, work: work)
    guard !isShuttingDown, !queue.isClosed || outlivesClose else {
      // The closure is freed after the unlock: what it captured may post in its deinit.
      mutex.unlock()
      return
    }
    queue.entries.insert(entry)
    if queue.activity == .idle { schedule(queue, present) }
    wakeSleeperAndUnlock()
  }

  func close(_ queue: RealQueue) {
    let present = Self.clock()
    mutex.lock()
    queue.isClosed = true
    let entries = queue.entries.removeAll()
    for var entry in entries where entry.outlivesClose || entry.due <= present {
      entry.due = min(entry.due, present)
      queue.entries.insert(entry)
    }
    if queue.activity == .idle { schedule(queue, present) }
    wakeSleeperAndUnlock()
  }

  /// An idle queue's entries have changed: makes it ready or sets its timer.
  private func schedule(_ queue: RealQueue, _ present: Int64) {
    guard let first = queue.entries.first else { return }
    if first.due <= present {
      makeReady(queue)
    } else if first.due < queue.timer {
      queue.timer = first.due
      timers.insert(QueueTimer(due: first.due, number: first.number, queue: queue))
    }
  }

  private func makeReady(_ queue: RealQueue) {
    queue.activity = .ready
    if queue.kind == .blocking {
      leased.lease(queue, "\(name).block", of: self)
    } else {
      ready.append(queue)
    }
  }

  /// Starts or wakes at most one pool thread if there is something for it, arms the timer, and unlocks.
  private func wakeSleeperAndUnlock() {
    var wakes = false
    if !ready.isEmpty || !timers.isEmpty, threads.count < cores, sleeping == 0, !isShuttingDown {
      // Threads start one by one as work finds none asleep; a start looks for work by itself.
      startThread()
    } else if !ready.isEmpty, sleeping > wakesUnderway {
      wakesUnderway += 1
      wakes = true
    }
    if sleeping > 0 { armTimer() }
    mutex.unlock()
    if wakes { wakeOne() }
  }

  private func wakeOne() {
    var one: UInt64 = 1
    _ = write(posted, &one, 8)
  }

  /// The timer may stay armed for something that has been cancelled; it is set anew only for an earlier time.
  private func armTimer() {
    guard let first = timers.first, first.due < armed else { return }
    armed = first.due
    linux_timer_arm(timer, armed)
  }

  // MARK: The pool

  private func startThread() {
    let index = threads.count
    threads.append(
      PlatformThread("\(name).pool\(index)", joinable: true) { [self] in
        ThreadState.current.role = .pool
        poolLoop()
      })
  }

  private func poolLoop() {
    mutex.lock()
    while !isShuttingDown {
      fireTimers()
      if let queue = ready.popFirst() {
        step(queue)
        continue
      }
      armTimer()
      sleeping += 1
      mutex.unlock()
      let descriptor = linux_wait_set_wait(waitSet)
      mutex.lock()
      sleeping -= 1
      // Wake-ups that came together have woken one thread; the others are woken by it if there is work left.
      wakesUnderway = 0
      if descriptor == timer { armed = .max }
    }
    mutex.unlock()
    wakeOne()
  }

  /// Runs a ready queue's next entry. Called with the mutex held, and returns so.
  private func step(_ queue: RealQueue) {
    queue.activity = .running
    var entry = queue.entries.popFirst()
    guard entry != nil else {
      queue.activity = .idle
      return
    }
    wakeSleeperAndUnlock()
    Self.run(&entry, on: queue)
    let present = Self.clock()
    mutex.lock()
    var dropped = queue.dropCancelled()
    queue.activity = .idle
    schedule(queue, present)
    if !dropped.isEmpty {
      mutex.unlock()
      Self.free(&dropped)
      mutex.lock()
    }
  }

  private func fireTimers() {
    guard !timers.isEmpty else { return }
    let present = Self.clock()
    if armed <= present { armed = .max }
    while let first = timers.first, first.due <= present {
      _ = timers.popFirst()
      guard first.queue.timer == first.due else { continue }
      first.queue.timer = .max
      if first.queue.activity == .idle { schedule(first.queue, present) }
    }
  }

  // MARK: Leased threads

  /// The life of one leased thread: queue after queue, until it has been idle for a while.
  func leasedLoop(_ thread: LeasedThread) {
    ThreadState.current.role = .leased
    mutex.lock()
    while let queue = thread.queue {
      queue.activity = .running
      while let due = queue.entries.first?.due, due <= Self.clock() {
        var entry = queue.entries.popFirst()
        mutex.unlock()
        Self.run(&entry, on: queue)
        mutex.lock()
      }
      var dropped = queue.dropCancelled()
      queue.activity = .idle
      thread.queue = nil
      // Idle first: if an entry has come due meanwhile, the queue gets this very thread again.
      leased.idle(thread)
      quiet.signal()
      schedule(queue, Self.clock())
      // A timer may have been set, for which a pool thread has to wait.
      wakeSleeperAndUnlock()
      Self.free(&dropped)
      mutex.lock()
      while thread.queue == nil, !isShuttingDown, !thread.mustEnd {
        if !thread.wake.wait(mutex, until: now + idleLimit), thread.queue == nil { break }
      }
    }
    let finished = leased.end(thread)
    quiet.signal()
    mutex.unlock()
    finished?.join()
  }

  /// Outside the lock, like `run`.
  private static func free(_ entries: inout [Entry]) { entries = [] }

  /// Runs and frees an entry, outside the lock: what it captured may post in its deinit.
  private static func run(_ next: inout Entry?, on queue: RealQueue) {
    defer { next = nil }
    guard let entry = next, !entry.isCancelled else { return }
    let thread = ThreadState.current
    thread.queue = queue
    entry.run()
    thread.queue = nil
    if thread.heldLocks != 0 { HeldLocks.assertNone("after the step “\(entry.name)” of “\(queue.label)”") }
  }

  // MARK: Tests

  /// Waits until no blocking queue has a step to run, then ends the threads that they had leased, and joins them.
  package func endLeasedThreads() {
    mutex.lock()
    while leased.count > leased.idleCount { quiet.wait(mutex) }
    let threads = leased.endIdle()
    mutex.unlock()
    for thread in threads { thread.join() }
  }

  /// Ends all threads and waits for them; what is still posted is dropped. Not for the shared scheduler.
  package func shutdown() {
    mutex.lock()
    isShuttingDown = true
    let pool = threads
    let others = leased.joinAll()
    mutex.unlock()
    wakeOne()
    for thread in pool + others { thread.join() }
    // Queues hold the scheduler, and steps their queues: what waits for a time or a thread would keep it for ever.
    mutex.lock()
    var dropped = (timers.removeAll().map(\.queue) + ready.removeAll()).flatMap { $0.entries.removeAll() }
    mutex.unlock()
    Self.free(&dropped)
  }
}

/// Says when a queue's next entry is due. Stale ones are recognised by the queue's own note.
private struct QueueTimer: HeapOrdered {
  let due: Int64
  let number: UInt64
  let queue: RealQueue
}

/// Queues with work that is due, first come first served; urgent ones go before.
private struct ReadyList {
  private var urgent = Fifo<RealQueue>()
  private var light = Fifo<RealQueue>()

  var isEmpty: Bool { urgent.isEmpty && light.isEmpty }

  mutating func append(_ queue: RealQueue) {
    if queue.kind == .urgent { urgent.append(queue) } else { light.append(queue) }
  }

  mutating func popFirst() -> RealQueue? { urgent.popFirst() ?? light.popFirst() }

  mutating func removeAll() -> [RealQueue] {
    var all: [RealQueue] = []
    while let queue = popFirst() { all.append(queue) }
    return all
  }
}
