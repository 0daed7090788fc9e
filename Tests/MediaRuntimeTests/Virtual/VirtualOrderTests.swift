import CoreMedia
import MediaRuntime
import Testing

@Suite struct VirtualOrderTests {
  @Test func entriesRunByDueTimeThenPosting() {
    let scheduler = VirtualScheduler.keepingTrace()
    defer { scheduler.shutdown() }
    let first = scheduler.queue("first", .light)
    let second = scheduler.queue("second", .blocking)
    first.post("late", after: .milliseconds(2)) {}
    second.post("early", after: .milliseconds(1)) {}
    first.post("now") { second.post("posted by now") {} }
    second.post("tie", after: .milliseconds(2)) {}
    #expect(scheduler.run().isIdle)
    #expect(
      scheduler.traceLines == [
        "0.000000 first now", "0.000000 second posted by now", "1.000000 second early", "2.000000 first late",
        "2.000000 second tie",
      ])
    #expect(scheduler.longestJump == .milliseconds(1))
  }

  @Test func negativeDelaysCountAsZeroAndHugeOnesDoNotOverflow() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("queue", .light)
    let ran = Recorder<Double>()
    queue.post("never", after: Nanoseconds(.max)) { ran.add(-1) }
    queue.post("at once", after: .milliseconds(-5)) { ran.add(scheduler.milliseconds) }
    #expect(scheduler.run(limit: .seconds(1 as Int64)).isLimit)
    #expect(ran.all == [0])
  }

  @Test func aCancelledEntryIsSkippedAndDoesNotMoveTime() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("queue", .light)
    let ticket = Ticket()
    let ran = Recorder<String>()
    queue.post("cancelled", after: .seconds(10 as Int64), ticket: ticket) { ran.add("cancelled") }
    queue.post("cancels", after: .milliseconds(1)) { ticket.cancel() }
    #expect(scheduler.run().isIdle)
    #expect(ran.all.isEmpty)
    #expect(scheduler.elapsed == .milliseconds(1))
  }

  @Test func aConditionStopsTheRunBeforeAnyFurtherStep() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("queue", .light)
    let ran = Recorder<Int>()
    for index in 0..<5 { queue.post("step \(index)") { ran.add(index) } }
    #expect(scheduler.run(until: { ran.count == 3 }).isCondition)
    #expect(ran.all == [0, 1, 2])
    #expect(scheduler.run(until: { true }).isCondition)
    #expect(ran.count == 3)
    #expect(scheduler.run().isIdle)
    #expect(ran.count == 5)
  }

  @Test func advanceMovesTimeAlsoWhenNothingIsLeft() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("queue", .light)
    let ran = Recorder<Double>()
    queue.post("at 3", after: .milliseconds(3)) { ran.add(scheduler.milliseconds) }
    #expect(scheduler.advance(by: .milliseconds(2)).isLimit)
    #expect(ran.all.isEmpty)
    #expect(scheduler.advance(by: .milliseconds(5)).isIdle)
    #expect(ran.all == [3])
    #expect(scheduler.milliseconds == 7)
  }

  @Test func aLimitIncludesWhatIsDueAtIt() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("queue", .light)
    let ran = Recorder<Int>()
    queue.post("at 5", after: .milliseconds(5)) { ran.add(5) }
    queue.post("at 6", after: .milliseconds(6)) { ran.add(6) }
    #expect(scheduler.run(limit: .milliseconds(5)).isLimit)
    #expect(ran.all == [5])
  }

  @Test func hostTimeIsVirtualInStepsAndOnAdoptedThreads() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    scheduler.adopt()
    defer { scheduler.release() }
    let queue = scheduler.queue("queue", .light)
    let read = Recorder<Int64>()
    queue.post("read", after: .milliseconds(4)) { read.add(HostTimeSources.nanoseconds - scheduler.now.nanoseconds) }
    scheduler.run()
    #expect(read.all == [0])
    #expect(HostTimeSources.nanoseconds == scheduler.now.nanoseconds)
  }

  @Test func closedQueuesRunWhatIsDueDropTimersAndWakeSleepers() async throws {
    let ran = Recorder<String>()
    try await VirtualScheduler.test { scheduler, test in
      let queue = scheduler.queue("queue", .light)
      let sleeper = queue.task("sleeper") {
        await queue.sleep(.seconds(100 as Int64))
        ran.add("woken")
      }
      await test.sleep(.milliseconds(1))
      queue.post("timer", after: .seconds(1 as Int64)) { ran.add("timer") }
      queue.post("due") { ran.add("due") }
      queue.close()
      queue.post("too late") { ran.add("too late") }
      await sleeper.value
      #expect(scheduler.milliseconds == 1)
    }
    // The sleeper's wake-up keeps its old place among what is due: it was posted before.
    #expect(ran.all == ["woken", "due"] || ran.all == ["due", "woken"])
    #expect(ran.all.first == "due")
  }

  @Test func aStepThatPostsItselfForEverTrapsWithItsName() async {
    await #expect(processExitsWith: .failure) {
      var options = VirtualScheduler.Options()
      options.maxStepsPerInstant = 1000
      let scheduler = VirtualScheduler(options)
      let queue = scheduler.queue("spinner", .light)
      @Sendable func again() { queue.post("again") { again() } }
      again()
      scheduler.run()
    }
  }

  @Test func theTraceDiscriminates() {
    func hash(_ order: [String]) -> UInt64 {
      let scheduler = VirtualScheduler()
      defer { scheduler.shutdown() }
      let queue = scheduler.queue("queue", .light)
      for name in order { queue.post(name) { scheduler.note("in \(name)") } }
      scheduler.run()
      return scheduler.traceHash
    }
    #expect(hash(["a", "b"]) == hash(["a", "b"]))
    #expect(hash(["a", "b"]) != hash(["b", "a"]))
  }
}

@Suite struct VirtualSpendingTests {
  @Test("A step that spends time holds up its own queue and no other")
  func spendingHoldsUpItsOwnQueue() {
    let scheduler = VirtualScheduler.keepingTrace()
    defer { scheduler.shutdown() }
    let slow = scheduler.queue("slow", .light)
    let quick = scheduler.queue("quick", .light)
    slow.post("first") {
      scheduler.spend(.milliseconds(30))
      slow.post("second") {}
      quick.post("other") {}
    }
    slow.post("third", after: .milliseconds(10)) {}
    slow.post("late", after: .milliseconds(40)) {}
    #expect(scheduler.run().isIdle)
    #expect(
      scheduler.traceLines == [
        "0.000000 slow first", "0.000000 quick other", "30.000000 slow second", "30.000000 slow third",
        "40.000000 slow late",
      ])
  }
}
