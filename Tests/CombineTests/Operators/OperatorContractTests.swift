import Combine
import Testing

/// What holds of every operator.
@Suite struct OperatorContractTests {
  private func texts(_ events: [Event<String>]) -> [String] { events.dropFirst().map(\.description) }

  private func failing(_ numbers: [Int]) -> Numbers {
    numbers.publisher.setFailureType(to: TestError.self).append(Fail(error: TestError.first)).eraseToAnyPublisher()
  }

  @Test(arguments: OperatorCase.all) func valuesAndEndAreWhatTheTableSays(_ operation: OperatorCase) {
    let recorder = Recorder<String, TestError>()
    operation.make((1...6).publisher.setFailureType(to: TestError.self).eraseToAnyPublisher()).subscribe(recorder)
    #expect(recorder.history.first == .subscription)
    #expect(texts(recorder.history) == operation.whole)
    let other = Recorder<String, TestError>()
    operation.make(failing([1, 2, 3])).subscribe(other)
    #expect(texts(other.history) == operation.failing)
  }

  @Test(arguments: OperatorCase.all) func nothingComesThatWasNotAskedForAndNothingIsLost(_ operation: OperatorCase) {
    for (isFailing, makeUpstream) in [
      (false, { (1...6).publisher.setFailureType(to: TestError.self).eraseToAnyPublisher() }),
      (true, { failing([1, 2, 3]) }),
    ] {
      let free = Recorder<String, TestError>()
      operation.make(makeUpstream()).subscribe(free)
      // Asked from outside, one by one.
      let asking = Recorder<String, TestError>(.none)
      operation.make(makeUpstream()).subscribe(asking)
      #expect(asking.values == [])
      for count in 1...20 {
        asking.request(.max(1))
        #expect(asking.values.count <= count)
      }
      if operation.isSwitching || operation.asksAhead && isFailing {
        #expect(asking.history.last == free.history.last)
      } else {
        #expect(asking.history == free.history)
      }
      // Asked by answers, one by one.
      let answering = Recorder<String, TestError>(.max(1))
      answering.answer = .max(1)
      operation.make(makeUpstream()).subscribe(answering)
      #expect(answering.history == free.history)
      #expect(answering.excess == 0)
      // Asked from within the receiving.
      let nesting = Recorder<String, TestError>(.max(1))
      nesting.onValue = { recorder, _ in recorder.request(.max(1)) }
      operation.make(makeUpstream()).subscribe(nesting)
      #expect(nesting.history == free.history)
      #expect(nesting.excess == 0)
    }
  }

  @Test(arguments: OperatorCase.all) func cancellingReachesUpstreamOnceAndLetsGoOfIt(_ operation: OperatorCase) {
    let probe = Probe<Int, TestError>()
    let recorder = Recorder<String, TestError>()
    operation.make(probe.eraseToAnyPublisher()).subscribe(recorder)
    guard probe.subscribers > 0, probe.subscription != nil else { return }
    recorder.cancel()
    #expect(probe.log.filter { $0 == "cancel" }.count == 1)
    #expect(probe.subscription == nil)
    let before = recorder.history
    probe.send(1)
    probe.finish()
    #expect(recorder.history == before)
  }

  @Test(arguments: OperatorCase.all) func theEndLetsGoOfUpstream(_ operation: OperatorCase) {
    for end in [{ $0.finish() }, { $0.fail(.first) }] as [(Probe<Int, TestError>) -> Void] {
      let probe = Probe<Int, TestError>()
      let recorder = Recorder<String, TestError>()
      operation.make(probe.eraseToAnyPublisher()).subscribe(recorder)
      for number in 1...3 { probe.send(number) }
      end(probe)
      if operation.description == "retry" { end(probe) }
      #expect(probe.subscription == nil)
      #expect(probe.log.filter { $0 == "cancel" }.count <= 1)
      let ends = recorder.history.filter { $0 == .finished || $0 == .failed("first") || $0 == .failed("second") }
      #expect(ends.count == 1)
      recorder.cancel()
    }
  }

  @Test(arguments: OperatorCase.all) func cancellingOnAValueIsTheLastThatIsHeard(_ operation: OperatorCase) {
    let recorder = Recorder<String, TestError>()
    recorder.onValue = { recorder, _ in recorder.cancel() }
    let probe = Probe<Int, TestError>()
    operation.make(probe.eraseToAnyPublisher()).subscribe(recorder)
    for number in 1...6 { probe.send(number) }
    probe.finish()
    let first = operation.whole.first.map { $0 == "finished" || $0.hasPrefix("failed") ? [] : [$0] } ?? []
    if !first.isEmpty { #expect(texts(recorder.history) == first) }
    #expect(probe.subscription == nil)
  }

  @Test(arguments: OperatorCase.all) func cancellingOnTheSubscriptionIsTheLastThatIsHeard(_ operation: OperatorCase) {
    let recorder = Recorder<String, TestError>(.none)
    recorder.onSubscription = { $0.cancel() }
    let probe = Probe<Int, TestError>()
    operation.make(probe.eraseToAnyPublisher()).subscribe(recorder)
    probe.send(1)
    probe.finish()
    #expect(recorder.history.filter { $0 != .subscription && $0 != .finished } == [])
    if operation.description != "prefix none" { #expect(recorder.history == [.subscription]) }
    #expect(probe.subscription == nil)
  }
}
