import Combine
import Testing

@Suite struct SourceTests {
  @Test func justWaitsForADemand() {
    let recorder = Recorder<Int, Never>(.none)
    Just(5).subscribe(recorder)
    #expect(recorder.history == [.subscription])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription, .value(5), .finished])
    let gone = Recorder<Int, Never>(.none)
    Just(5).subscribe(gone)
    gone.cancel()
    gone.request(.max(1))
    #expect(gone.history == [.subscription])
  }

  @Test func sequencesStopAtTheDemandAndAtCancel() {
    let recorder = Recorder<Int, Never>(.max(2))
    (1...4).publisher.subscribe(recorder)
    #expect(recorder.history == [.subscription, .value(1), .value(2)])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    recorder.cancel()
    #expect(recorder.history.last == .value(3))
    let stopping = Recorder<Int, Never>()
    stopping.onValue = { recorder, value in if value == 2 { recorder.cancel() } }
    (1...4).publisher.subscribe(stopping)
    #expect(stopping.history == [.subscription, .value(1), .value(2)])
    let empty = Recorder<Int, Never>(.none)
    [Int]().publisher.subscribe(empty)
    #expect(empty.history == [.subscription, .finished])
  }

  @Test func aLongSequenceAskedOneByOneNeedsNoDeepStack() {
    let recorder = Recorder<Int, Never>(.max(1))
    recorder.onValue = { recorder, _ in recorder.request(.max(1)) }
    (1...20_000).publisher.subscribe(recorder)
    #expect(recorder.values.count == 20_000)
    #expect(recorder.history.last == .finished)
  }

  @Test func optionalsResultsEmptyAndFail() {
    func events<P: Publisher>(_ publisher: P) -> [Event<Int>] where P.Output == Int {
      let recorder = Recorder<Int, P.Failure>()
      publisher.subscribe(recorder)
      return recorder.history
    }
    #expect(events(Int?.some(1).publisher) == [.subscription, .value(1), .finished])
    #expect(events(Int?.none.publisher) == [.subscription, .finished])
    #expect(events(Result<Int, TestError>.success(1).publisher) == [.subscription, .value(1), .finished])
    #expect(events(Result<Int, TestError>.failure(.first).publisher) == [.subscription, .failed("first")])
    #expect(events(Empty<Int, TestError>()) == [.subscription, .finished])
    #expect(events(Empty<Int, TestError>(completeImmediately: false)) == [.subscription])
    #expect(events(Fail<Int, TestError>(error: .second)) == [.subscription, .failed("second")])
  }

  @Test func futureRunsOnceAndAtOnceAndKeepsItsResult() {
    var runs = 0
    var promise: Future<Int, TestError>.Promise?
    let future = Future<Int, TestError> {
      runs += 1
      promise = $0
    }
    #expect(runs == 1)
    let early = Recorder<Int, TestError>()
    let slow = Recorder<Int, TestError>(.none)
    let gone = Recorder<Int, TestError>()
    future.subscribe(early)
    future.subscribe(slow)
    future.subscribe(gone)
    gone.cancel()
    promise?(.success(3))
    promise?(.success(4))
    promise?(.failure(.first))
    #expect(early.history == [.subscription, .value(3), .finished])
    #expect(slow.history == [.subscription])
    slow.request(.max(1))
    #expect(slow.history == [.subscription, .value(3), .finished])
    #expect(gone.history == [.subscription])
    let late = Recorder<Int, TestError>()
    future.subscribe(late)
    #expect(late.history == [.subscription, .value(3), .finished])
    #expect(runs == 1)
    let failing = Recorder<Int, TestError>(.none)
    Future<Int, TestError> { $0(.failure(.second)) }.subscribe(failing)
    #expect(failing.history == [.subscription, .failed("second")])
  }

  @Test func futureGoesWithItsSubscriber() {
    weak var future: Future<Int, Never>?
    do {
      let made = Future<Int, Never> { _ in }
      future = made
      let token = made.sink { _ in }
      token.cancel()
    }
    #expect(future == nil)
  }

  @Test func deferredMakesOneForEach() {
    var made = 0
    let deferred = Deferred {
      made += 1
      return Just(made)
    }
    #expect(made == 0)
    let first = Recorder<Int, Never>()
    let second = Recorder<Int, Never>()
    deferred.subscribe(first)
    deferred.subscribe(second)
    #expect(first.values == [1])
    #expect(second.values == [2])
  }

  @Test func sinkAndAssignLetGoAtTheEnd() {
    final class Target {
      var number = 0
    }
    weak var target: Target?
    let subject = PassthroughSubject<Int, Never>()
    let token: AnyCancellable
    do {
      let made = Target()
      target = made
      token = subject.assign(to: \.number, on: made)
      subject.send(4)
      #expect(made.number == 4)
    }
    #expect(target != nil)
    subject.send(completion: .finished)
    #expect(target == nil)
    token.cancel()
  }

  @Test func cancellablesCancelOnceAndWhenForgotten() {
    var cancelled = 0
    var bag = Set<AnyCancellable>()
    var list: [AnyCancellable] = []
    AnyCancellable { cancelled += 1 }.store(in: &bag)
    AnyCancellable { cancelled += 1 }.store(in: &list)
    list.first?.cancel()
    list.first?.cancel()
    #expect(cancelled == 1)
    bag.removeAll()
    list.removeAll()
    #expect(cancelled == 2)
  }

  @Test func anySubscriberOfClosuresAndOfASubject() {
    var seen: [String] = []
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { $0.request(.max(2)) },
      receiveValue: {
        seen.append("\($0)")
        return .none
      }, receiveCompletion: { _ in seen.append("end") })
    (1...3).publisher.subscribe(subscriber)
    #expect(seen == ["1", "2"])
    let subject = CurrentValueSubject<Int, Never>(0)
    (1...3).publisher.subscribe(AnySubscriber(subject))
    #expect(subject.value == 3)
  }
}
