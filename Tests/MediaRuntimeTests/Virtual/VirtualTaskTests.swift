import MediaRuntime
import Testing

private actor Counter {
  private let queue: SerialQueue
  private(set) var values: [Int] = []

  init(_ queue: SerialQueue) { self.queue = queue }

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  func add(_ value: Int) {
    queue.preconditionIsolated()
    values.append(value)
  }
}

@Suite struct VirtualTaskTests {
  // Ten years: a sleep that took real time would never end.
  @Test func aBodySleepsOnVirtualTime() async throws {
    let years = Nanoseconds.seconds(10 * 365 * 86_400 as Int64)
    try await VirtualScheduler.test { scheduler, queue in
      #expect(queue.isCurrent)
      await queue.sleep(years)
      #expect(scheduler.elapsed == years)
      #expect(queue.isCurrent)
    }
  }

  @Test func aSynchronousTestRunsAnAsynchronousBody() throws {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let result = try scheduler.runTest { queue in
      await queue.sleep(.milliseconds(5))
      return scheduler.milliseconds
    }
    #expect(result == 5)
  }

  @Test func actorsAndChildTasksStayUnderTheBaton() async throws {
    var traces: Set<UInt64> = []
    for _ in 0..<20 {
      let scheduler = VirtualScheduler()
      defer { scheduler.shutdown() }
      let values = try await scheduler.runTest { queue in
        let counter = Counter(scheduler.queue("counter", .light))
        await withTaskGroup(of: Void.self) { group in
          for index in 0..<10 {
            group.addTask {
              await queue.sleep(.milliseconds(Int64(10 - index)))
              await counter.add(index)
            }
          }
        }
        return await counter.values
      }
      #expect(values == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      traces.insert(scheduler.traceHash)
    }
    #expect(traces.count == 1)
  }

  @Test func anErrorOfTheBodyIsTheTests() async {
    struct Fault: Error {}
    await #expect(throws: Fault.self) {
      try await VirtualScheduler.test { _, queue in
        await queue.sleep(.milliseconds(1))
        throw Fault()
      }
    }
  }

  @Test func aBodyThatAwaitsSomethingOutsideStopsAsIdle() async {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let stop = await #expect(throws: VirtualStop.self) {
      try await scheduler.runTest { _ in
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(stop?.outcome.isIdle == true)
  }

  @Test func aPlainTaskInAStepIsReported() throws {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    scheduler.queue("offender", .light).post("starts a task") { Task {} }
    let report = try #require(scheduler.run().foreign)
    #expect(report.action == .plainTask)
    #expect(report.description.contains("plain task"))
  }

  @Test func adoptedPlainTasksGiveOneTrace() {
    var traces: Set<UInt64> = []
    for _ in 0..<30 {
      var options = VirtualScheduler.Options()
      options.plainTasks = .adopt
      let scheduler = VirtualScheduler(options)
      defer { scheduler.shutdown() }
      let queue = scheduler.queue("app", .light)
      let counter = Counter(scheduler.queue("counter", .light))
      queue.post("starts tasks") {
        for index in 0..<5 {
          Task {
            await counter.add(index)
            Task.detached {
              await counter.add(index + 10)
              scheduler.note("done \(index)")
            }
          }
        }
      }
      #expect(scheduler.run().isIdle)
      traces.insert(scheduler.traceHash)
    }
    #expect(traces.count == 1)
  }
}
