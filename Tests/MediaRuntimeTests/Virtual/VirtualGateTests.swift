import MediaRuntime
import Testing

/// Bytes that come after a scripted time; each read belongs to a generation, and a newer one interrupts it.
private final class ScriptedBytes: Sendable {
  struct State: Sendable {
    var available = 0
    var wanted = 0
    var isStalled = false
  }

  let gate: Gate<State>

  init(_ scheduler: any Scheduler) { gate = Gate(scheduler, "bytes", State()) }

  /// False when interrupted.
  func read(generation: Int) -> Bool {
    let result = gate.wait(
      "a byte",
      ready: { $0.available > 0 || $0.wanted != generation },
      take: { state in
        guard state.wanted == generation else { return false }
        state.available -= 1
        return true
      })
    if case .value(let got) = result { return got }
    return false
  }
}

@Suite struct VirtualGateTests {
  @Test func aWaitEntersOthersWithoutInvertingThem() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let ends = Recorder<String>()
    func source(_ name: String, after delay: Nanoseconds) {
      let gate = Gate(scheduler, name, false)
      let queue = scheduler.queue(name, .blocking)
      let network = scheduler.queue("network of \(name)", .light)
      queue.post("open") {
        network.post("bytes", after: delay) { gate.withLock(signal: true) { $0 = true } }
        _ = gate.wait("bytes", ready: { $0 }, take: { _ in })
        ends.add("\(name) \(scheduler.milliseconds)")
      }
    }
    source("A", after: .milliseconds(1))
    source("B", after: .milliseconds(1000))
    #expect(scheduler.run().isIdle)
    // B's wait was entered on top of A's, and A went on all the same when its bytes came.
    #expect(ends.all == ["A 1.0", "B 1000.0"])
  }

  @Test func aChainOfWaitsKeepsItsTimes() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let ends = Recorder<String>()
    let a = Gate(scheduler, "A", false)
    let b = Gate(scheduler, "B", false)
    let network = scheduler.queue("network", .light)
    scheduler.queue("A", .blocking).post("open A") {
      network.post("A's bytes", after: .milliseconds(1)) { a.withLock(signal: true) { $0 = true } }
      _ = a.wait("bytes", ready: { $0 }, take: { _ in })
      ends.add("A \(scheduler.milliseconds)")
    }
    scheduler.queue("chain", .blocking).post("wait for A, then open B") {
      _ = a.wait("A", ready: { $0 }, take: { _ in })
      network.post("B's bytes", after: .milliseconds(1000)) { b.withLock(signal: true) { $0 = true } }
      _ = b.wait("B", ready: { $0 }, take: { _ in })
      ends.add("B \(scheduler.milliseconds)")
    }
    #expect(scheduler.run().isIdle)
    #expect(ends.all == ["A 1.0", "B 1001.0"])
  }

  @Test func aBlockedQueuesEntriesAreSetAsideAndKeepTheirOrder() {
    let scheduler = VirtualScheduler.keepingTrace()
    defer { scheduler.shutdown() }
    let gate = Gate(scheduler, "door", false)
    let blocked = scheduler.queue("blocked", .blocking)
    let other = scheduler.queue("other", .light)
    blocked.post("waits") { _ = gate.wait("the door", ready: { $0 }, take: { _ in }) }
    blocked.post("second") {}
    blocked.post("third", after: .milliseconds(1)) {}
    other.post("free", after: .milliseconds(1)) {}
    other.post("opens", after: .milliseconds(5)) { gate.withLock(signal: true) { $0 = true } }
    #expect(scheduler.run().isIdle)
    #expect(
      scheduler.traceLines == [
        "0.000000 blocked waits", "0.000000 blocked waits: door: the door", "1.000000 other free",
        "5.000000 other opens", "5.000000 blocked wakes: door", "5.000000 blocked second", "5.000000 blocked third",
      ])
  }

  @Test func aDeadlineEndsAWait() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let gate = Gate(scheduler, "gate", 0)
    let ends = Recorder<String>()
    scheduler.queue("queue", .blocking).post("waits") {
      let deadline = scheduler.now + .milliseconds(7)
      if case .timedOut = gate.wait("more", deadline: deadline, ready: { $0 > 1 }, take: { $0 }) {
        ends.add("timed out \(scheduler.milliseconds)")
      }
      if case .timedOut = gate.wait("more", deadline: deadline, ready: { $0 > 1 }, take: { $0 }) {
        ends.add("at once \(scheduler.milliseconds)")
      }
    }
    // A signal whose change does not satisfy the waiter wakes it for nothing.
    scheduler.queue("other", .light).post("too little", after: .milliseconds(3)) {
      gate.withLock(signal: true) { $0 = 1 }
    }
    #expect(scheduler.run().isIdle)
    #expect(ends.all == ["timed out 7.0", "at once 7.0"])
  }

  @Test func aSeekInterruptsABlockedReadAtOnce() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let bytes = ScriptedBytes(scheduler)
    let source = scheduler.queue("source", .blocking)
    let control = scheduler.queue("control", .light)
    let events = Recorder<String>()
    let isBuffering = Lock(false)
    source.post("read of generation 0") {
      control.post("buffering") { isBuffering.withLock { $0 = true } }
      let got = bytes.read(generation: 0)
      events.add("0: \(got) at \(scheduler.milliseconds)")
    }
    // Proof that something is interrupted: the read blocks, and the state says so, before the seek.
    #expect(scheduler.run(limit: .seconds(10 as Int64), until: { isBuffering.withLock { $0 } }).isCondition)
    #expect(scheduler.advance(by: .seconds(100 as Int64)).deadlock?.waits.map(\.queue) == ["source"])
    #expect(events.all.isEmpty)
    control.post("two quick seeks") {
      for generation in 1...2 {
        bytes.gate.withLock(signal: true) { $0.wanted = generation }
        source.post("seek \(generation)") {
          guard bytes.gate.withLock({ $0.wanted }) == generation else { return events.add("\(generation): superseded") }
          events.add("\(generation): \(bytes.read(generation: generation)) at \(scheduler.milliseconds)")
        }
      }
      control.post("bytes come", after: .milliseconds(3)) { bytes.gate.withLock(signal: true) { $0.available = 1 } }
    }
    #expect(scheduler.run().isIdle)
    #expect(events.all == ["0: false at 100000.0", "1: superseded", "2: true at 100003.0"])
  }

  @Test func aMissingSignalIsADeadlockThatSaysSo() throws {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let gate = Gate(scheduler, "packets", 0)
    let source = scheduler.queue("source", .blocking)
    source.post("read") { _ = gate.wait("the first packet", ready: { $0 > 0 }, take: { $0 }) }
    source.post("seek") {}
    scheduler.queue("network", .light).post("forgets", after: .milliseconds(2)) { gate.withLock { $0 = 1 } }
    let report = try #require(scheduler.run().deadlock)
    let wait = try #require(report.waits.first)
    #expect(report.waits.count == 1)
    #expect(wait.queue == "source")
    #expect(wait.gate == "packets")
    #expect(wait.why == "the first packet")
    #expect(wait.since == .zero)
    #expect(wait.conditionHolds)
    #expect(wait.behind == ["seek"])
    #expect(report.time == .milliseconds(2))
    #expect(report.description.contains("HOLDS: nobody signalled"))
  }

  @Test func aCircleOfTwoQueuesIsReportedAndShutdownEndsIt() throws {
    let scheduler = VirtualScheduler()
    let left = Gate(scheduler, "left", false)
    let right = Gate(scheduler, "right", false)
    let ends = Recorder<String>()
    func waits(_ name: String, _ own: Gate<Bool>, _ other: Gate<Bool>) {
      scheduler.queue(name, .blocking).post("waits") {
        if case .aborted = other.wait("the other", ready: { $0 }, take: { _ in }) { ends.add("\(name) aborted") }
        own.withLock(signal: true) { $0 = true }
      }
    }
    waits("one", left, right)
    waits("two", right, left)
    let report = try #require(scheduler.run().deadlock)
    #expect(report.waits.map(\.queue) == ["one", "two"])
    #expect(report.waits.map(\.conditionHolds) == [false, false])
    // The two that are blocked, and the one that had the baton last.
    #expect(scheduler.threadCount == 3)
    scheduler.shutdown()
    #expect(ends.all == ["one aborted", "two aborted"])
    #expect(scheduler.threadCount == 0)
  }

  @Test func aSignalInAnEmptyRunWakesAllWaitersInOrder() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let gate = Gate(scheduler, "start", false)
    let order = Recorder<Int>()
    for index in 0..<5 {
      scheduler.queue("waiter \(index)", .blocking).post("waits") {
        _ = gate.wait("start", ready: { $0 }, take: { _ in })
        order.add(index)
      }
    }
    #expect(scheduler.run().deadlock?.waits.count == 5)
    gate.withLock(signal: true) { $0 = true }
    #expect(scheduler.run().isIdle)
    #expect(order.all == [0, 1, 2, 3, 4])
  }

  @Test func theTestsThreadMayWaitItself() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let gate = Gate(scheduler, "answer", 0)
    scheduler.queue("worker", .light).post("answers", after: .milliseconds(9)) {
      gate.withLock(signal: true) { $0 = 42 }
    }
    let result = gate.wait("the answer", ready: { $0 != 0 }, take: { $0 })
    guard case .value(42) = result else { return #expect(Bool(false), "\(result)") }
    #expect(scheduler.milliseconds == 9)
    let timeout = gate.wait("another", deadline: scheduler.now + .milliseconds(1), ready: { $0 == 1 }, take: { $0 })
    guard case .timedOut = timeout else { return #expect(Bool(false), "\(timeout)") }
    #expect(scheduler.milliseconds == 10)
    guard case .aborted = gate.wait("nothing", ready: { $0 == 1 }, take: { $0 }) else { return #expect(Bool(false)) }
  }

  @Test func aLightQueueThatWaitsTraps() async {
    await #expect(processExitsWith: .failure) {
      let scheduler = VirtualScheduler()
      let gate = Gate(scheduler, "gate", false)
      scheduler.queue("light", .light).post("waits") { _ = gate.wait("it", ready: { $0 }, take: { _ in }) }
      scheduler.run()
    }
  }

  @Test func aLockHeldAtAWaitTraps() async {
    await #expect(processExitsWith: .failure) {
      let scheduler = VirtualScheduler()
      let gate = Gate(scheduler, "gate", true)
      let lock = Lock(0)
      scheduler.queue("careless", .blocking).post("waits") {
        lock.withLock { _ in _ = gate.wait("it", ready: { $0 }, take: { _ in }) }
      }
      scheduler.run()
    }
  }
}
