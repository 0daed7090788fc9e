import Dispatch
import Foundation
import MediaRuntime
import MediaTestSupport
import Testing

@Suite struct RealSchedulerTests {
  /// Waits on the test's own thread until the count is reached.
  private func await(_ count: Int, _ gate: Gate<[Int]>) -> [Int] {
    if case .value(let order) = gate.wait("\(count) entries", ready: { $0.count >= count }, take: { $0 }) {
      return order
    }
    return []
  }

  private func gate(_ scheduler: RealScheduler) -> Gate<[Int]> { Gate(scheduler, "test", []) }

  @Test(arguments: [SerialQueue.Kind.light, .urgent, .blocking])
  func entriesOfOneQueueRunByDueTimeThenPosting(kind: SerialQueue.Kind) {
    let scheduler = RealScheduler.shared
    let queue = scheduler.queue("order", kind)
    let gate = gate(scheduler)
    queue.post("hold") {
      // While this step runs both timers come due; they still run by due time, and before what is posted later.
      queue.post("second", after: .milliseconds(2)) { gate.withLock(signal: true) { $0.append(2) } }
      queue.post("first", after: .milliseconds(1)) { gate.withLock(signal: true) { $0.append(1) } }
      let end = scheduler.now + .milliseconds(4)
      while scheduler.now < end {}
      queue.post("third") { gate.withLock(signal: true) { $0.append(3) } }
      queue.post("fourth") { gate.withLock(signal: true) { $0.append(4) } }
    }
    #expect(self.await(4, gate) == [1, 2, 3, 4])
  }

  @Test func timersAreNeverEarlyAndKeepTheirOrder() {
    let scheduler = RealScheduler(name: "timers", cores: 2)
    defer { scheduler.shutdown() }
    let gate = gate(scheduler)
    let early = Recorder<Int>()
    for index in 0..<40 {
      let delay = Nanoseconds.microseconds(Int64((index * 7) % 40) * 500)
      let due = scheduler.now + delay
      scheduler.queue("queue \(index)", index % 2 == 0 ? .light : .blocking).post("timer", after: delay) {
        if scheduler.now < due { early.add(index) }
        gate.withLock(signal: true) { $0.append(index) }
      }
    }
    #expect(Set(self.await(40, gate)) == Set(0..<40))
    #expect(early.all.isEmpty)
  }

  @Test func aBusyPoolThreadDoesNotDelayTimers() {
    let scheduler = RealScheduler(name: "busy", cores: 2)
    defer { scheduler.shutdown() }
    let gate = gate(scheduler)
    let holds = Lock(true)
    scheduler.queue("decoder", .light).post("decode for long") {
      while holds.withLock({ $0 }) {}
      gate.withLock(signal: true) { $0.append(2) }
    }
    // Ends the long step: had the timer to wait for that, it would never come.
    scheduler.queue("device", .urgent).post("timer", after: .milliseconds(5)) {
      gate.withLock(signal: true) { $0.append(1) }
      holds.withLock { $0 = false }
    }
    #expect(self.await(2, gate) == [1, 2])
  }

  @Test func urgentQueuesGoBeforeOthersThatAreReady() {
    let scheduler = RealScheduler(name: "urgent", cores: 1)
    defer { scheduler.shutdown() }
    let gate = gate(scheduler)
    let queues = (0..<8).map { scheduler.queue("light \($0)", .light) }
    let device = scheduler.queue("device", .urgent)
    scheduler.queue("first", .light).post("posts") {
      for (index, queue) in queues.enumerated() {
        queue.post("light") { gate.withLock(signal: true) { $0.append(index) } }
      }
      device.post("urgent") { gate.withLock(signal: true) { $0.append(99) } }
    }
    #expect(self.await(9, gate) == [99] + Array(0..<8))
  }

  @Test func anAppThatBlocksAllOfDispatchsWorkersDoesNotTouchTheEngine() async {
    // In a process of its own: the workers are what the other tests run on.
    await #expect(processExitsWith: .success) {
      let scheduler = RealScheduler.shared
      let gate = Gate(scheduler, "periods", 0)
      let block = DispatchSemaphore(value: 0)
      for _ in 0..<16 { DispatchQueue.global().async { block.wait() } }
      let queue = scheduler.queue("engine", .light)
      let source = scheduler.queue("source", .blocking)
      for index in 0..<20 {
        (index % 2 == 0 ? queue : source).post("period", after: .milliseconds(Int64(index))) {
          gate.withLock(signal: true) { $0 += 1 }
        }
      }
      _ = gate.wait("20 periods", ready: { $0 == 20 }, take: { $0 })
    }
  }

  @Test func blockingQueuesLeaseThreadsWhileTheyWorkAndGiveThemBack() {
    let scheduler = RealScheduler(name: "lease", cores: 2, idleLimit: .zero)
    let gate = gate(scheduler)
    let door = Gate(scheduler, "door", false)
    let queues = (0..<10).map { scheduler.queue("source \($0)", .blocking) }
    for (index, queue) in queues.enumerated() {
      queue.post("read") {
        gate.withLock(signal: true) { $0.append(index) }
        _ = door.wait("the door", ready: { $0 }, take: { _ in })
      }
    }
    #expect(self.await(10, gate).count == 10)
    #expect(ThreadCensus.names("lease.block").count == 10)
    for queue in queues { queue.close() }
    door.withLock(signal: true) { $0 = true }
    scheduler.shutdown()
    #expect(ThreadCensus.names("lease.").isEmpty)
  }

  @Test func aSchedulerThatIsShutDownGivesItsDescriptorsBack() async {
    // In a process of its own: other tests open files.
    await #expect(processExitsWith: .success) {
      func descriptors() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1 }
      func use() {
        let scheduler = RealScheduler(name: "short", cores: 2)
        let done = Gate(scheduler, "done", 0)
        for kind in [SerialQueue.Kind.light, .blocking] {
          let queue = scheduler.queue("queue", kind)
          // Neither may keep the scheduler: it is dropped with what it holds.
          queue.post("never", after: .seconds(1000 as Int64)) { _ = queue.isCurrent }
          queue.post("step") { done.withLock(signal: true) { $0 += 1 } }
        }
        _ = done.wait("two steps", ready: { $0 == 2 }, take: { _ in })
        scheduler.shutdown()
      }
      use()
      let before = descriptors()
      for _ in 0..<10 { use() }
      let after = descriptors()
      guard after == before else { preconditionFailure("\(after) descriptors after \(before)") }
    }
  }

  @Test func sixtyFourPlayersShareThePool() {
    let scheduler = RealScheduler(name: "many", cores: 2)
    defer { scheduler.shutdown() }
    let gate = gate(scheduler)
    for player in 0..<64 {
      let source = scheduler.queue("source", .blocking)
      let decoder = scheduler.queue("decoder", .light)
      for packet in 0..<20 {
        source.post("read") {
          decoder.post("decode") { gate.withLock(signal: true) { $0.append(player * 20 + packet) } }
        }
      }
    }
    let order = self.await(64 * 20, gate)
    for player in 0..<64 {
      let own = order.filter { $0 / 20 == player }
      #expect(own == Array(player * 20..<player * 20 + 20))
    }
    #expect(ThreadCensus.names("many.pool").count <= 2)
  }

  @Test func tasksAndActorsRunOnQueues() async {
    actor Player {
      let queue: SerialQueue
      var count = 0
      init(_ queue: SerialQueue) { self.queue = queue }
      nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
      func step() -> Bool {
        count += 1
        return queue.isCurrent
      }
    }
    let scheduler = RealScheduler.shared
    let queue = scheduler.queue("tasks", .light)
    let player = Player(scheduler.queue("player", .light))
    let before = scheduler.now
    let result = await queue.task("test") {
      await queue.sleep(.milliseconds(3))
      let wasOnOwn = await player.step()
      return queue.isCurrent && wasOnOwn
    }.value
    #expect(result)
    #expect(scheduler.now - before >= .milliseconds(3))
  }

  @Test func aClosedQueueDropsTimersAndWakesSleepers() async {
    let scheduler = RealScheduler.shared
    let queue = scheduler.queue("closing", .light)
    let ran = Recorder<String>()
    let sleeper = queue.task("sleeper") { await queue.sleep(.seconds(1000 as Int64)) }
    queue.post("timer", after: .seconds(1000 as Int64)) { ran.add("timer") }
    await queue.task("close") { queue.close() }.value
    await sleeper.value
    queue.post("late") { ran.add("late") }
    await queue.task("after") {}.value
    #expect(ran.all.isEmpty)
  }

  @Test func aCancelledEntryDoesNotRun() {
    let scheduler = RealScheduler.shared
    let gate = gate(scheduler)
    let queue = scheduler.queue("cancel", .light)
    let ticket = Ticket()
    queue.post("cancelled", after: .milliseconds(1), ticket: ticket) { gate.withLock(signal: true) { $0.append(1) } }
    ticket.cancel()
    queue.post("kept", after: .milliseconds(2)) { gate.withLock(signal: true) { $0.append(2) } }
    #expect(self.await(1, gate) == [2])
  }

  @Test func aGatesDeadlinePasses() {
    let scheduler = RealScheduler.shared
    let gate = Gate(scheduler, "never", 0)
    let deadline = scheduler.now + .milliseconds(2)
    guard case .timedOut = gate.wait("it", deadline: deadline, ready: { $0 > 0 }, take: { $0 }) else {
      return #expect(Bool(false))
    }
    #expect(scheduler.now >= deadline)
  }

  @Test func aWaitOnAPoolThreadTraps() async {
    await #expect(processExitsWith: .failure) {
      let scheduler = RealScheduler.shared
      let gate = Gate(scheduler, "gate", false)
      let done = Gate(scheduler, "done", false)
      scheduler.queue("light", .light).post("waits") { _ = gate.wait("it", ready: { $0 }, take: { _ in }) }
      _ = done.wait("the trap", ready: { $0 }, take: { _ in })
    }
  }

  @Test func deliveriesReachMainAndTheAppsQueue() async {
    let app = DispatchQueue(label: "app")
    let scheduler = RealScheduler.shared
    await withCheckedContinuation { continuation in
      scheduler.deliver("one", to: app) {
        dispatchPrecondition(condition: .onQueue(app))
        scheduler.deliver("two", to: nil) {
          MainActor.assertIsolated()
          continuation.resume()
        }
      }
    }
  }
}
