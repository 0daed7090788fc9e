import Dispatch
import Foundation
import MediaRuntime
import Testing

@Suite struct VirtualForeignTests {
  /// Runs `body` on a thread of its own while the step waits for it to end.
  private static func onForeignThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      Thread.current.name = name
      body()
      done.signal()
    }
    thread.start()
    done.wait()
  }

  @Test func aPostFromAForeignThreadEndsTheRunAndSaysWhoDidIt() throws {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("queue", .light)
    queue.post("innocent", after: .milliseconds(3)) {
      Self.onForeignThread("intruder") { queue.post("smuggled") {} }
    }
    queue.post("later", after: .milliseconds(4)) {}
    let report = try #require(scheduler.run().foreign)
    #expect(report.action == .post)
    #expect(report.target == "queue")
    #expect(report.name == "smuggled")
    #expect(report.time == .milliseconds(3))
    #expect(report.thread.contains(" "))
    #expect(report.stack.count > 2, "\(report)")
    #expect(scheduler.run().isIdle)
  }

  @Test func aSignalFromAForeignThreadEndsTheRunAlsoWhenNobodyWaits() throws {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let gate = Gate(scheduler, "gate", 0)
    scheduler.queue("queue", .light).post("innocent") {
      Self.onForeignThread("intruder") { gate.withLock(signal: true) { $0 = 1 } }
    }
    let report = try #require(scheduler.run().foreign)
    #expect(report.action == .signal)
    #expect(report.target == "gate")
  }

  @Test func aWaitOnAForeignThreadIsAbortedAndReported() throws {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let gate = Gate(scheduler, "gate", 0)
    let aborted = Recorder<Bool>()
    scheduler.queue("queue", .light).post("innocent") {
      Self.onForeignThread("intruder") {
        if case .aborted = gate.wait("a value", ready: { $0 > 0 }, take: { $0 }) { aborted.add(true) }
      }
    }
    let report = try #require(scheduler.run().foreign)
    #expect(report.action == .wait)
    #expect(aborted.all == [true])
  }

  @Test func adoptedThreadsAndThreadsBetweenRunsAreNotForeign() {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("queue", .light)
    let ran = Recorder<Int>()
    queue.post("step") {
      Self.onForeignThread("adopted") {
        scheduler.adopt()
        queue.post("one") { ran.add(1) }
        scheduler.release()
      }
    }
    Self.onForeignThread("between runs") { queue.post("two") { ran.add(2) } }
    #expect(scheduler.run().isIdle)
    #expect(ran.all == [2, 1])
  }

  @Test func withoutStrictnessForeignPostsAreCounted() {
    var options = VirtualScheduler.Options()
    options.strictForeign = false
    let scheduler = VirtualScheduler(options)
    defer { scheduler.shutdown() }
    let queue = scheduler.queue("queue", .light)
    let ran = Recorder<Int>()
    queue.post("step") { Self.onForeignThread("tolerated") { queue.post("one") { ran.add(1) } } }
    #expect(scheduler.run().isIdle)
    #expect(ran.all == [1])
    #expect(scheduler.foreignCount == 1)
  }
}
