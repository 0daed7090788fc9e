import Combine
import Dispatch
import Foundation
import Testing

/// The schedulers of the system. Nothing here measures time: each waits for what it has asked for.
@Suite struct QueueTests {
  @Test func dispatchTimesAreExact() {
    typealias Time = DispatchQueue.SchedulerTimeType
    #expect(Time.Stride.seconds(2).magnitude == 2_000_000_000)
    #expect(Time.Stride.seconds(0.25) == .milliseconds(250))
    #expect(Time.Stride.milliseconds(3) == .microseconds(3000))
    #expect((Time.Stride(integerLiteral: 1) as Time.Stride).timeInterval == .nanoseconds(1_000_000_000))
    #expect(Time.Stride(.milliseconds(7)) == .milliseconds(7))
    #expect(Time.Stride(.never).magnitude == .max)
    #expect(Time.Stride.seconds(Int.max).magnitude == .max)
    #expect(Time.Stride.seconds(Double.nan).magnitude == 0)
    let time = Time(DispatchTime(uptimeNanoseconds: 5_000))
    #expect(time.advanced(by: .microseconds(2)).dispatchTime.uptimeNanoseconds == 7_000)
    #expect(time.distance(to: Time(DispatchTime(uptimeNanoseconds: 4_000))) == .nanoseconds(-1_000))
  }

  @Test func datesAreSeconds() {
    typealias Time = RunLoop.SchedulerTimeType
    let date = Date(timeIntervalSince1970: 100)
    #expect(Time(date).advanced(by: .milliseconds(1500)).date.timeIntervalSince1970 == 101.5)
    #expect(Time(date).distance(to: Time(date.addingTimeInterval(-3))) == .seconds(-3))
    #expect(OperationQueue.SchedulerTimeType(date).advanced(by: 2).date.timeIntervalSince1970 == 102)
  }

  @Test func aDispatchQueueTellsItsSubscribersInOrder() async {
    let queue = DispatchQueue(label: "combine")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let elsewhere = Overlap()
    let values = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
      let recorder = Recorder<Int, Never>()
      recorder.onValue = { _, _ in
        if DispatchQueue.getSpecific(key: key) != true { elsewhere.note() }
      }
      recorder.onCompletion = { continuation.resume(returning: $0.values) }
      (1...100).publisher.receive(on: queue).subscribe(recorder)
    }
    #expect(values == Array(1...100))
    #expect(elsewhere.overlaps == 0)
  }

  @Test func aConcurrentQueueTellsOneAtATimeAndInOrder() async {
    let queue = DispatchQueue(label: "combine", attributes: .concurrent)
    let overlap = Overlap()
    let values = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
      let recorder = Recorder<Int, Never>()
      recorder.onValue = { _, _ in overlap.visit() }
      recorder.onCompletion = { continuation.resume(returning: $0.values) }
      (1...500).publisher.receive(on: queue).subscribe(recorder)
    }
    #expect(values == Array(1...500))
    #expect(overlap.overlaps == 0)
  }

  @Test(arguments: ["dispatch", "operations"]) func queuesRunLaterAndAgain(_ kind: String) async {
    func check<S: Combine.Scheduler>(_ scheduler: S) async {
      let started = scheduler.now
      let late = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let due = started.advanced(by: .milliseconds(20))
        scheduler.schedule(after: due) { continuation.resume(returning: scheduler.now >= due) }
      }
      #expect(late)
      let stream = AsyncStream<Int> { continuation in
        nonisolated(unsafe) var count = 0
        nonisolated(unsafe) let token = scheduler.schedule(after: scheduler.now, interval: .milliseconds(1)) {
          count += 1
          continuation.yield(count)
          if count == 3 { continuation.finish() }
        }
        continuation.onTermination = { _ in token.cancel() }
      }
      var counts: [Int] = []
      for await count in stream { counts.append(count) }
      #expect(counts == [1, 2, 3])
    }
    if kind == "dispatch" {
      await check(DispatchQueue(label: "combine"))
    } else {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      await check(queue)
    }
  }

  @Test func aRunLoopRunsWhatAnotherThreadBrings() async {
    let told = await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
      Thread.detachNewThread {
        nonisolated(unsafe) let loop = RunLoop.current
        nonisolated(unsafe) var told: [String] = []
        // Keeps the loop waiting: without it there is nothing to wait for.
        let far = Timer(fire: .distantFuture, interval: 3600, repeats: true) { _ in }
        loop.add(far, forMode: .default)
        nonisolated(unsafe) let me = Thread.current
        DispatchQueue.global().async {
          loop.schedule { told.append(Thread.current === me ? "here" : "elsewhere") }
          loop.schedule(after: loop.now.advanced(by: .milliseconds(5))) { told.append("later") }
        }
        while told.count < 2, loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) {}
        far.invalidate()
        continuation.resume(returning: told)
      }
    }
    #expect(told.sorted() == ["here", "later"])
  }

  @Test func aRunLoopThatWaitsIsWoken() async {
    let isWoken = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      Thread.detachNewThread {
        nonisolated(unsafe) let loop = RunLoop.current
        loop.add(Timer(fire: .distantFuture, interval: 3600, repeats: true) { _ in }, forMode: .default)
        let limit = Date(timeIntervalSinceNow: 60)
        // Brought from within the loop's own wait, so that it does wait.
        loop.perform(inModes: [.default]) {
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) {
            loop.schedule { continuation.resume(returning: Date() < limit.addingTimeInterval(-10)) }
          }
        }
        // By itself it looks after its blocks only at the limit; the thread is left to that.
        _ = loop.run(mode: .default, before: limit)
      }
    }
    #expect(isWoken)
  }

  @Test func aTimerRunsWithItsSubscribers() async {
    let isRight = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      Thread.detachNewThread {
        var dates: [Date] = []
        let token = Timer.publish(every: 0.001, on: .current, in: .default).autoconnect().sink { dates.append($0) }
        while dates.count < 3, RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) {}
        token.cancel()
        // Without its subscriber there is no timer, and nothing to wait for.
        let isEmpty = !RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
        continuation.resume(returning: isEmpty && dates.count >= 3)
      }
    }
    #expect(isRight)
  }

  @Test func immediatelyIsNow() {
    var steps: [String] = []
    ImmediateScheduler.shared.schedule { steps.append("a") }
    ImmediateScheduler.shared.schedule(after: ImmediateScheduler.shared.now) { steps.append("b") }
    _ = ImmediateScheduler.shared.schedule(after: ImmediateScheduler.shared.now, interval: 1) { steps.append("c") }
    #expect(steps == ["a", "b", "c"])
  }
}
