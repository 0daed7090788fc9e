import Dispatch
import MediaRuntime
import Testing

@Suite struct VirtualAppQueueTests {
  @Test func aDeliveryRunsOnTheAppsQueueWithinItsStep() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let app = DispatchQueue(label: "app")
    let queue = scheduler.queue("engine", .light)
    let events = Recorder<String>()
    queue.post("delivers") {
      scheduler.deliver("callback", to: app) {
        dispatchPrecondition(condition: .onQueue(app))
        events.add("callback \(scheduler.milliseconds)")
        app.async {
          // Posted by the app to its own queue: still inside the step, and free to use the engine.
          events.add("app's own block")
          queue.post("called back", after: .milliseconds(2)) { events.add("called back \(scheduler.milliseconds)") }
        }
      }
      queue.post("next step") { events.add("next step") }
    }
    #expect(scheduler.run().isIdle)
    #expect(events.all == ["callback 0.0", "app's own block", "next step", "called back 2.0"])
  }

  @Test(arguments: [false, true])
  func deliveriesKeepTheirOrderOnEveryKindOfQueue(isConcurrent: Bool) {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let app = DispatchQueue(label: "app", attributes: isConcurrent ? .concurrent : [])
    let queue = scheduler.queue("engine", .light)
    let events = Recorder<Int>()
    for index in 0..<50 {
      queue.post("delivers") {
        scheduler.deliver("callback", to: index % 2 == 0 ? app : .global()) { events.add(index) }
      }
    }
    #expect(scheduler.run().isIdle)
    #expect(events.all == Array(0..<50))
  }

  @Test func deliveriesToAGlobalQueueKeepTheirOrderToo() async {
    // In a process of its own: the other tests block the threads of the global queues.
    await #expect(processExitsWith: .success) {
      let scheduler = VirtualScheduler()
      let queue = scheduler.queue("engine", .light)
      let events = Recorder<Int>()
      for index in 0..<50 {
        queue.post("delivers") {
          scheduler.deliver("callback", to: .global()) {
            events.add(index)
            queue.post("called back") { events.add(index + 100) }
          }
        }
      }
      let outcome = scheduler.run()
      precondition(outcome.isIdle && events.all == Array(0..<50) + Array(100..<150), "\(outcome), \(events.all)")
      scheduler.shutdown()
    }
  }

  @Test func anAppsBlockThatWaitsBlocksItsQueueAlone() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let app = DispatchQueue(label: "app")
    let other = DispatchQueue(label: "other")
    let queue = scheduler.queue("engine", .light)
    let gate = Gate(scheduler, "duration", 0)
    let events = Recorder<String>()
    queue.post("delivers") {
      scheduler.deliver("asks", to: app) {
        _ = gate.wait("the duration", ready: { $0 > 0 }, take: { $0 })
        events.add("answered \(scheduler.milliseconds)")
      }
      scheduler.deliver("behind", to: app) { events.add("behind") }
      scheduler.deliver("elsewhere", to: other) { events.add("elsewhere \(scheduler.milliseconds)") }
      queue.post("loads", after: .milliseconds(4)) { gate.withLock(signal: true) { $0 = 1 } }
    }
    #expect(scheduler.run().isIdle)
    #expect(events.all == ["elsewhere 0.0", "answered 4.0", "behind"])
  }
}

@MainActor private final class ViewModel {
  private let queue: SerialQueue
  private let scheduler: VirtualScheduler
  var states: [String] = []

  init(_ scheduler: VirtualScheduler) {
    self.scheduler = scheduler
    queue = scheduler.queue("engine", .light)
  }

  func load() async {
    states.append("loading \(scheduler.milliseconds)")
    let loaded = queue.task("load") { [queue] in
      await queue.sleep(.milliseconds(250))
      return "loaded"
    }
    let text = await loaded.value
    MainActor.assertIsolated()
    states.append("\(text) \(scheduler.milliseconds)")
    scheduler.note(text)
  }
}

@Suite struct VirtualMainQueueTests {
  @Test func deliveriesToMainRunThereAtTheirTime() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("engine", .light)
    let events = Recorder<String>()
    queue.post("delivers", after: .milliseconds(3)) {
      scheduler.deliver("status", to: nil) {
        MainActor.assertIsolated()
        dispatchPrecondition(condition: .onQueue(.main))
        events.add("status \(scheduler.milliseconds)")
        queue.post("play") { events.add("play") }
        scheduler.deliver("again", to: .main) { events.add("again") }
      }
    }
    #expect(scheduler.run().isIdle)
    #expect(events.all == ["status 3.0", "play", "again"])
  }

  @MainActor @Test func mainActorCodeRunsAtFixedPointsFromAnAsynchronousTest() async {
    var options = VirtualScheduler.Options()
    options.plainTasks = .adopt
    var traces: Set<UInt64> = []
    for _ in 0..<50 {
      let trace = await VirtualScheduler.mainActorTest(options) { scheduler in
        let model = ViewModel(scheduler)
        let done = Lock(false)
        // What an app does in a view's `task` modifier.
        let task = Task {
          await model.load()
          done.withLock { $0 = true }
        }
        let outcome = await scheduler.drive(limit: .seconds(10 as Int64), until: { done.withLock { $0 } })
        #expect(outcome.isCondition, "\(outcome)")
        if outcome.isCondition { await task.value }
        #expect(model.states == ["loading 0.0", "loaded 250.0"])
        return scheduler.traceHash
      }
      traces.insert(trace)
    }
    #expect(traces.count == 1)
  }

  @MainActor @Test func aTestOnTheMainActorDrivesAndCallsTheEngineBetweenRuns() async {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("engine", .light)
    let events = Recorder<String>()
    queue.post("first") { scheduler.deliver("event", to: nil) { events.add("event \(scheduler.milliseconds)") } }
    #expect(await scheduler.drive(by: .milliseconds(5)).isIdle)
    MainActor.assertIsolated()
    queue.post("second", after: .milliseconds(1)) {
      scheduler.deliver("event", to: nil) { events.add("event \(scheduler.milliseconds)") }
    }
    let outcome = await scheduler.drive()
    #expect(outcome.isIdle, "\(outcome)")
    #expect(events.all == ["event 0.0", "event 6.0"])
  }

  @MainActor @Test func runTestWorksFromTheMainActor() async throws {
    let result = try await VirtualScheduler.test { scheduler, queue in
      await MainActor.run { MainActor.assertIsolated() }
      await queue.sleep(.milliseconds(8))
      return scheduler.milliseconds
    }
    #expect(result == 8)
  }

  @Test func aBlockOnMainMayWaitAndLaterDeliveriesQueueUp() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("engine", .light)
    let gate = Gate(scheduler, "tracks", 0)
    let events = Recorder<String>()
    queue.post("delivers") {
      scheduler.deliver("asks", to: nil) {
        _ = gate.wait("the tracks", ready: { $0 > 0 }, take: { $0 })
        events.add("answered \(scheduler.milliseconds)")
      }
      scheduler.deliver("behind", to: nil) { events.add("behind \(scheduler.milliseconds)") }
      queue.post("loads", after: .milliseconds(4)) {
        events.add("loads")
        gate.withLock(signal: true) { $0 = 1 }
      }
    }
    #expect(scheduler.run().isIdle)
    #expect(events.all == ["loads", "answered 4.0", "behind 4.0"])
  }

  @MainActor @Test func aSynchronousGetterMayWaitOnTheMainActor() async {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let gate = Gate(scheduler, "duration", 0)
    let events = Recorder<String>()
    let queue = scheduler.queue("engine", .light)
    queue.post("loads", after: .milliseconds(4)) {
      scheduler.deliver("loaded", to: nil) { events.add("loaded \(scheduler.milliseconds)") }
      gate.withLock(signal: true) { $0 = 7 }
    }
    guard case .value(7) = gate.wait("the duration", ready: { $0 > 0 }, take: { $0 }) else {
      return #expect(Bool(false))
    }
    #expect(events.all.isEmpty)
    #expect(await scheduler.drive().isIdle)
    #expect(events.all == ["loaded 4.0"])
  }

  @Test func aSynchronousRunOnTheMainActorTrapsWithAdvice() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run { _ = VirtualScheduler().run() }
    }
  }

  @Test func aFreeMainQueueStillGivesTheBatonBackInOrder() {
    let scheduler = VirtualScheduler.keepingTrace { $0.ownsMain = false }
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("engine", .light)
    let events = Recorder<Int>()
    for index in 0..<10 {
      queue.post("delivers") { scheduler.deliver("event", to: nil) { events.add(index) } }
    }
    #expect(scheduler.run().isIdle)
    #expect(events.all == Array(0..<10))
  }
}
