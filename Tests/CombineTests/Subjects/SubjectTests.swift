import Combine
import Testing

@Suite struct SubjectTests {
  @Test func passthroughSendsToWhoAsked() {
    let subject = PassthroughSubject<Int, TestError>()
    let all = Recorder<Int, TestError>()
    let two = Recorder<Int, TestError>(.max(2))
    subject.subscribe(all)
    subject.subscribe(two)
    for number in 1...3 { subject.send(number) }
    two.request(.max(1))
    subject.send(4)
    subject.send(completion: .failure(.first))
    subject.send(5)
    subject.send(completion: .finished)
    #expect(all.history == [.subscription, .value(1), .value(2), .value(3), .value(4), .failed("first")])
    #expect(two.history == [.subscription, .value(1), .value(2), .value(4), .failed("first")])
    let late = Recorder<Int, TestError>(.none)
    subject.subscribe(late)
    #expect(late.history == [.subscription, .failed("first")])
  }

  @Test func currentValueComesFirstAndTheLatestWaits() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let all = Recorder<Int, TestError>()
    let slow = Recorder<Int, TestError>(.none)
    subject.subscribe(all)
    subject.subscribe(slow)
    subject.send(1)
    subject.value = 2
    #expect(subject.value == 2)
    #expect(slow.history == [.subscription])
    slow.request(.max(2))
    #expect(slow.values == [2])
    subject.send(3)
    subject.send(4)
    subject.send(5)
    slow.request(.max(1))
    #expect(slow.values == [2, 3, 5])
    subject.send(completion: .finished)
    subject.value = 9
    #expect(subject.value == 5)
    #expect(
      all.history == [.subscription, .value(0), .value(1), .value(2), .value(3), .value(4), .value(5), .finished])
    #expect(slow.history.last == .finished)
    let late = Recorder<Int, TestError>()
    subject.subscribe(late)
    #expect(late.history == [.subscription, .finished])
  }

  @Test func sendingWithinAReceiveKeepsEverybodysOrder() {
    let subject = PassthroughSubject<Int, Never>()
    let first = Recorder<Int, Never>()
    let second = Recorder<Int, Never>()
    var inside: [Int] = []
    first.onValue = { recorder, value in
      guard value == 1 else { return }
      subject.send(2)
      inside = recorder.values
    }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    // Told within the call, as a function call would be.
    #expect(inside == [1, 2])
    #expect(first.values == [1, 2])
    #expect(second.values == [1, 2])
  }

  @Test func cancellingAndSubscribingWithinAReceive() {
    let subject = PassthroughSubject<Int, Never>()
    let first = Recorder<Int, Never>()
    let second = Recorder<Int, Never>()
    let third = Recorder<Int, Never>()
    first.onValue = { recorder, _ in
      second.cancel()
      subject.subscribe(third)
      recorder.cancel()
    }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    subject.send(2)
    #expect(first.history == [.subscription, .value(1)])
    #expect(second.history == [.subscription])
    #expect(third.history == [.subscription, .value(2)])
  }

  @Test func completingWithinAReceiveComesBehindTheValue() {
    let subject = CurrentValueSubject<Int, TestError>(1)
    let first = Recorder<Int, TestError>()
    let second = Recorder<Int, TestError>()
    first.onValue = { _, value in if value == 2 { subject.send(completion: .finished) } }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(2)
    #expect(first.history == [.subscription, .value(1), .value(2), .finished])
    #expect(second.history == [.subscription, .value(1), .value(2), .finished])
  }

  @Test func upstreamIsAskedWhenSomebodyAsksAndCancelledAtTheEnd() {
    let probe = Probe<Int, TestError>()
    let subject = PassthroughSubject<Int, TestError>()
    let token = probe.subscribe(subject)
    #expect(probe.log == [])
    let recorder = Recorder<Int, TestError>(.max(1))
    subject.subscribe(recorder)
    #expect(probe.log == ["request unlimited"])
    probe.send(1)
    probe.send(2)
    #expect(recorder.values == [1])
    subject.send(completion: .finished)
    #expect(probe.log == ["request unlimited", "cancel"])
    #expect(probe.subscription == nil)
    token.cancel()
    #expect(probe.log.filter { $0 == "cancel" }.count == 1)

    let eager = Probe<Int, TestError>()
    let current = CurrentValueSubject<Int, TestError>(0)
    let other = eager.subscribe(current)
    #expect(eager.log == ["request unlimited"])
    eager.send(7)
    #expect(current.value == 7)
    other.cancel()
    eager.send(8)
    #expect(current.value == 7)
    #expect(eager.subscription == nil)
  }

  @Test func subjectAndSubscriberGoWhenCancelledAndAtTheEnd() {
    weak var subject: PassthroughSubject<Int, Never>?
    weak var held: Held?
    weak var ended: Held?
    do {
      let made = PassthroughSubject<Int, Never>()
      subject = made
      let one = Held()
      let two = Held()
      held = one
      ended = two
      let token = made.sink { _ in one.touch() }
      token.cancel()
      let kept = made.sink { _ in two.touch() }
      made.send(1)
      made.send(completion: .finished)
      withExtendedLifetime(kept) {}
    }
    #expect(subject == nil)
    #expect(held == nil)
    #expect(ended == nil)
  }

  @Test func valuesOfSeveralThreadsComeOneAtATimeAndInOneOrder() async {
    let subject = CurrentValueSubject<Int, Never>(-1)
    let first = Recorder<Int, Never>()
    let second = Recorder<Int, Never>()
    let isInside = Overlap()
    first.onValue = { _, _ in isInside.visit() }
    subject.subscribe(first)
    subject.subscribe(second)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for number in 0..<500 { subject.send(thread * 1000 + number) } }
      }
    }
    let values = first.values
    #expect(values.count == 2001)
    #expect(second.values == values)
    #expect(values.last == subject.value)
    #expect(isInside.overlaps == 0)
    for thread in 0..<4 {
      let own = values.filter { $0 >= 0 && $0 / 1000 == thread }
      #expect(own == own.sorted())
      #expect(own.count == 500)
    }
  }

  @Test func cancellingBesideSendingEndsTheTelling() async {
    for _ in 0..<50 {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      subject.subscribe(recorder)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { for number in 0..<100 { subject.send(number) } }
        group.addTask { recorder.cancel() }
      }
      let before = recorder.history
      subject.send(7)
      #expect(recorder.history == before)
      #expect(recorder.values == Array(0..<recorder.values.count))
    }
  }
}

final class Held {
  private(set) var touches = 0
  func touch() { touches += 1 }
}
