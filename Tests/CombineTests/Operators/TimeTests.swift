import Combine
import Testing

@Suite struct TimeTests {
  private let time = VirtualTime()
  private let subject = PassthroughSubject<Int, TestError>()

  /// What a recorder heard, with the times.
  private final class Diary<Input: Equatable & Sendable> {
    var lines: [String] = []
  }

  private func diary<P: Publisher>(_ publisher: P, _ demand: Subscribers.Demand = .unlimited) -> (
    Diary<P.Output>, Recorder<P.Output, P.Failure>
  ) where P.Output: Equatable & Sendable {
    let diary = Diary<P.Output>()
    let recorder = Recorder<P.Output, P.Failure>(demand)
    let time = time
    recorder.onValue = { _, value in diary.lines.append("\(time.now): \(value)") }
    recorder.onCompletion = { recorder in
      diary.lines.append("\(time.now): \(recorder.history.last.map(\.description) ?? "")")
    }
    publisher.subscribe(recorder)
    return (diary, recorder)
  }

  /// Sends each number at its own time: 10 at 10.
  private func send(_ times: Int...) {
    for moment in times {
      time.run(until: moment)
      subject.send(moment)
    }
  }

  @Test func receiveOnTellsThereInOrderAndStopsAtCancel() {
    let (diary, recorder) = diary(subject.receive(on: time))
    subject.send(1)
    subject.send(2)
    #expect(diary.lines == [])
    time.run(until: 5)
    #expect(diary.lines == ["0: 1", "0: 2"])
    subject.send(3)
    recorder.cancel()
    time.run(until: 9)
    #expect(recorder.history == [.subscription, .value(1), .value(2)])
  }

  @Test func receiveOnTellsTheEndBehindTheValues() {
    let (diary, _) = diary(subject.receive(on: time))
    subject.send(1)
    subject.send(completion: .failure(.first))
    #expect(diary.lines == [])
    time.run(until: 1)
    #expect(diary.lines == ["0: 1", "0: failed first"])
  }

  @Test func receiveOnAsksUpstreamForWhatTheAnswersSay() {
    let probe = Probe<Int, TestError>()
    let recorder = Recorder<Int, TestError>(.max(1))
    recorder.answer = .max(2)
    probe.receive(on: time).subscribe(recorder)
    probe.send(1)
    #expect(probe.log == ["request 1"])
    time.run(until: 1)
    #expect(probe.log == ["request 1", "request 2"])
  }

  @Test func subscribeOnSubscribesAsksAndCancelsThere() {
    let probe = Probe<Int, TestError>()
    let recorder = Recorder<Int, TestError>(.max(1))
    probe.subscribe(on: time).subscribe(recorder)
    #expect(probe.subscribers == 0)
    time.run(until: 1)
    #expect(probe.subscribers == 1)
    #expect(probe.log == ["request 1"])
    probe.send(4)
    #expect(recorder.values == [4])
    recorder.cancel()
    #expect(probe.log == ["request 1"])
    time.run(until: 2)
    #expect(probe.log == ["request 1", "cancel"])
  }

  @Test func delayTellsAllLater() {
    let (diary, _) = diary(subject.delay(for: 5, scheduler: time))
    send(1, 2)
    subject.send(completion: .finished)
    time.run(until: 20)
    #expect(diary.lines == ["6: 1", "7: 2", "7: finished"])
  }

  @Test func debounceWaitsForQuiet() {
    let (diary, _) = diary(subject.debounce(for: 10, scheduler: time))
    send(1, 5, 9, 30)
    time.run(until: 35)
    subject.send(completion: .finished)
    time.run(until: 60)
    // What waits at the end is lost, as at Apple's.
    #expect(diary.lines == ["19: 9", "35: finished"])
    #expect(time.waiting == 0)
  }

  @Test func debounceAsksForEverythingAndDropsWhatIsNotAskedFor() {
    let probe = Probe<Int, TestError>()
    let (diary, recorder) = diary(probe.debounce(for: 10, scheduler: time), .max(1))
    #expect(probe.log == ["request unlimited"])
    probe.send(1)
    time.run(until: 20)
    probe.send(2)
    time.run(until: 40)
    recorder.request(.max(1))
    probe.send(3)
    time.run(until: 60)
    #expect(diary.lines == ["10: 1", "50: 3"])
    recorder.cancel()
    #expect(probe.subscription == nil)
    #expect(probe.log == ["request unlimited", "cancel"])
  }

  @Test func throttleTellsTheLatestOrTheFirstOfAnInterval() {
    let (latest, _) = diary(subject.throttle(for: 10, scheduler: time, latest: true))
    let (first, _) = diary(subject.throttle(for: 10, scheduler: time, latest: false))
    send(1, 3, 5, 12, 40, 42)
    subject.send(completion: .finished)
    time.run(until: 99)
    #expect(latest.lines == ["1: 1", "11: 5", "21: 12", "40: 40", "50: 42", "50: finished"])
    #expect(first.lines == ["1: 1", "11: 3", "21: 12", "40: 40", "50: 42", "50: finished"])
  }

  @Test func throttleLetsAFailureWaitForNothing() {
    let (diary, _) = diary(subject.throttle(for: 10, scheduler: time, latest: true))
    send(1, 3)
    subject.send(completion: .failure(.first))
    time.run(until: 99)
    #expect(diary.lines == ["1: 1", "3: failed first"])
  }

  @Test func timeoutEndsAfterQuietAndCancels() {
    let probe = Probe<Int, TestError>()
    let (diary, _) = diary(probe.timeout(10, scheduler: time))
    time.run(until: 8)
    probe.send(1)
    time.run(until: 17)
    probe.send(2)
    time.run(until: 50)
    #expect(diary.lines == ["8: 1", "17: 2", "27: finished"])
    #expect(probe.log == ["request unlimited", "cancel"])
    #expect(time.waiting == 0)
  }

  @Test func timeoutFailsWithAnErrorOfItsOwnAndNotBehindTheEnd() {
    let (failing, _) = diary(subject.timeout(10, scheduler: time, customError: { .second }))
    time.run(until: 50)
    #expect(failing.lines == ["10: failed second"])
    let probe = Probe<Int, TestError>()
    let (ended, _) = diary(probe.timeout(10, scheduler: time, customError: { .second }))
    time.run(until: 55)
    probe.finish()
    time.run(until: 99)
    #expect(ended.lines == ["55: finished"])
  }

  @Test func collectByTimePutsIntervalsTogether() {
    let (diary, _) = diary(subject.collect(.byTime(time, 10)))
    send(1, 2, 11, 32)
    subject.send(completion: .finished)
    time.run(until: 99)
    #expect(diary.lines == ["10: [1, 2]", "20: [11]", "32: [32]", "32: finished"])
    #expect(time.waiting == 0)
  }

  @Test func collectByTimeOrCountIsFullBefore() {
    let (diary, recorder) = diary(subject.collect(.byTimeOrCount(time, 10, 2)))
    send(1, 2, 3)
    time.run(until: 15)
    #expect(diary.lines == ["2: [1, 2]", "10: [3]"])
    recorder.cancel()
    #expect(time.waiting == 0)
  }

  @Test func collectByTimeKeepsWhatIsNotAskedFor() {
    let (diary, recorder) = diary(subject.collect(.byTime(time, 10)), .none)
    send(1, 12)
    time.run(until: 25)
    recorder.request(.max(1))
    time.run(until: 35)
    #expect(diary.lines == ["30: [1, 12]"])
  }

  @Test func measureIntervalTellsDistances() {
    let (diary, _) = diary(subject.measureInterval(using: time).map(\.magnitude))
    send(4, 9)
    #expect(diary.lines == ["4: 4", "9: 5"])
  }
}
