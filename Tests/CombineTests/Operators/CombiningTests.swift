import Combine
import Testing

@Suite struct CombiningTests {
  @Test func combineLatestSendsFromTheFirstOfAllOn() {
    let numbers = PassthroughSubject<Int, TestError>()
    let texts = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    numbers.combineLatest(texts) { $0 * 10 + $1 }.subscribe(recorder)
    numbers.send(1)
    numbers.send(2)
    texts.send(3)
    numbers.send(4)
    numbers.send(completion: .finished)
    texts.send(5)
    #expect(recorder.history == [.subscription, .value(23), .value(43), .value(45)])
    texts.send(completion: .finished)
    #expect(recorder.history.last == .finished)
  }

  @Test func oneFailureEndsAllAndCancelsTheOthers() {
    for make in [
      { $0.combineLatest($1).map(\.0).eraseToAnyPublisher() }, { $0.zip($1).map(\.0).eraseToAnyPublisher() },
      { $0.merge(with: $1).eraseToAnyPublisher() },
    ] as [(Probe<Int, TestError>, Probe<Int, TestError>) -> AnyPublisher<Int, TestError>] {
      let (one, two) = (Probe<Int, TestError>(), Probe<Int, TestError>())
      let recorder = Recorder<Int, TestError>()
      make(one, two).subscribe(recorder)
      one.fail(.first)
      two.send(9)
      #expect(recorder.history == [.subscription, .failed("first")])
      #expect(one.log == ["request unlimited"])
      #expect(two.log == ["request unlimited", "cancel"])
      #expect(one.subscription == nil && two.subscription == nil)
    }
  }

  @Test func zipPairsAndEndsWithTheFirstThatHasNoMore() {
    let (one, two) = (Probe<Int, TestError>(), Probe<Int, TestError>())
    let recorder = Recorder<Int, TestError>()
    one.zip(two) { $0 * 10 + $1 }.subscribe(recorder)
    one.send(1)
    one.send(2)
    two.send(7)
    one.finish()
    #expect(recorder.history == [.subscription, .value(17)])
    two.send(8)
    #expect(recorder.history == [.subscription, .value(17), .value(28), .finished])
    #expect(two.log.last == "cancel")
  }

  @Test func mergeKeepsOneValueOfEachUntilItIsAskedFor() {
    let (one, two) = (Probe<Int, TestError>(), Probe<Int, TestError>())
    let recorder = Recorder<Int, TestError>(.none)
    one.merge(with: two).subscribe(recorder)
    #expect(one.log == ["request 1"] && two.log == ["request 1"])
    two.send(2)
    one.send(1)
    one.finish()
    two.finish()
    #expect(recorder.history == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription, .value(2)])
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription, .value(2), .value(1), .finished])
  }

  @Test func flatMapRunsSoManyAtATime() {
    let outer = Probe<Int, TestError>()
    var inner: [Probe<String, TestError>] = []
    let recorder = Recorder<String, TestError>()
    outer.flatMap(maxPublishers: .max(2)) { _ in
      let probe = Probe<String, TestError>()
      inner.append(probe)
      return probe
    }.subscribe(recorder)
    #expect(outer.log == ["request 2"])
    outer.send(1)
    outer.send(2)
    inner[1].send("b")
    inner[0].send("a")
    inner[0].finish()
    #expect(outer.log == ["request 2", "request 1"])
    outer.send(3)
    outer.finish()
    inner[2].send("c")
    inner[2].finish()
    #expect(recorder.history == [.subscription, .value("b"), .value("a"), .value("c")])
    inner[1].finish()
    #expect(recorder.history.last == .finished)
  }

  @Test func flatMapEndsWithAnInnerFailure() {
    let outer = Probe<Int, TestError>()
    var inner: [Probe<Int, TestError>] = []
    let recorder = Recorder<Int, TestError>()
    outer.flatMap { _ in
      inner.append(Probe())
      return inner[inner.count - 1]
    }.subscribe(recorder)
    outer.send(1)
    outer.send(2)
    inner[0].fail(.second)
    inner[1].send(5)
    #expect(recorder.history == [.subscription, .failed("second")])
    #expect(inner[1].log.last == "cancel")
    #expect(outer.log.last == "cancel")
  }

  @Test func switchToLatestCancelsTheOneBeforeAndCarriesTheDemandOn() {
    let outer = PassthroughSubject<Probe<Int, TestError>, TestError>()
    let (one, two) = (Probe<Int, TestError>(), Probe<Int, TestError>())
    let recorder = Recorder<Int, TestError>(.max(3))
    outer.switchToLatest().subscribe(recorder)
    outer.send(one)
    one.send(1)
    outer.send(two)
    #expect(one.log == ["request 3", "cancel"])
    #expect(two.log == ["request 2"])
    one.send(9)
    two.send(2)
    outer.send(completion: .finished)
    two.send(3)
    #expect(recorder.history == [.subscription, .value(1), .value(2), .value(3)])
    two.finish()
    #expect(recorder.history.last == .finished)
  }

  @Test func concatenationCarriesTheDemandOn() {
    let (one, two) = (Probe<Int, TestError>(), Probe<Int, TestError>())
    let recorder = Recorder<Int, TestError>(.max(3))
    one.append(two).subscribe(recorder)
    one.send(1)
    #expect(two.log == [])
    one.finish()
    #expect(two.log == ["request 2"])
    recorder.request(.max(4))
    #expect(two.log == ["request 2", "request 4"])
    recorder.cancel()
    #expect(two.log.last == "cancel")
  }

  @Test func retryBeginsAnewAndGivesUpInTheEnd() {
    let probe = Probe<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    probe.retry(2).subscribe(recorder)
    probe.send(1)
    probe.fail(.first)
    probe.send(2)
    probe.fail(.first)
    probe.fail(.second)
    #expect(probe.subscribers == 3)
    #expect(recorder.history == [.subscription, .value(1), .value(2), .failed("second")])
  }

  @Test func shareHasOneUpstreamAndForgetsItWithTheLast() {
    let probe = Probe<Int, TestError>()
    let shared = probe.share()
    let (one, two) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    shared.subscribe(one)
    shared.subscribe(two)
    #expect(probe.subscribers == 1)
    probe.send(1)
    one.cancel()
    probe.send(2)
    #expect(probe.log == ["request unlimited"])
    two.cancel()
    #expect(probe.log == ["request unlimited", "cancel"])
    #expect(probe.subscription == nil)
    let three = Recorder<Int, TestError>()
    shared.subscribe(three)
    #expect(probe.subscribers == 2)
    probe.send(3)
    probe.finish()
    #expect(one.history == [.subscription, .value(1)])
    #expect(two.history == [.subscription, .value(1), .value(2)])
    #expect(three.history == [.subscription, .value(3), .finished])
    let late = Recorder<Int, TestError>()
    shared.subscribe(late)
    #expect(late.history == [.subscription, .finished])
    #expect(probe.subscribers == 2)
  }

  @Test func multicastBeginsWithConnect() {
    let probe = Probe<Int, TestError>()
    let multicast = probe.multicast { CurrentValueSubject<Int, TestError>(0) }
    let recorder = Recorder<Int, TestError>()
    multicast.subscribe(recorder)
    #expect(probe.subscribers == 0)
    let connection = multicast.connect()
    probe.send(1)
    connection.cancel()
    probe.send(2)
    #expect(recorder.history == [.subscription, .value(0), .value(1)])
    #expect(probe.log.last == "cancel")
  }

  @Test func valuesOfTwoThreadsAreMergedOneAtATime() async {
    let (one, two) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = Recorder<Int, Never>()
    let latest = Recorder<Int, Never>()
    // Each chain tells one value at a time; the two run beside each other.
    let (overlap, latestOverlap) = (Overlap(), Overlap())
    recorder.onValue = { _, _ in overlap.visit() }
    latest.onValue = { _, _ in latestOverlap.visit() }
    one.merge(with: two).subscribe(recorder)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for number in 0..<500 { one.send(number) } }
      group.addTask { for number in 1000..<1500 { two.send(number) } }
    }
    #expect(overlap.overlaps == 0)
    #expect(recorder.values.count == 1000)
    #expect(recorder.values.filter { $0 < 1000 } == Array(0..<500))
    one.combineLatest(two) { max($0, $1) }.subscribe(latest)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for number in 0..<500 { one.send(number) } }
      group.addTask { for number in 1000..<1500 { two.send(number) } }
    }
    #expect(overlap.overlaps == 0 && latestOverlap.overlaps == 0)
    #expect(latest.values == latest.values.sorted())
    #expect(latest.values.last == 1499)
  }

  @Test func demandsGoUpAsTheyAre() {
    let probe = Probe<Int, TestError>()
    let recorder = Recorder<Int, TestError>(.max(2))
    recorder.answer = .max(1)
    probe.map { $0 }.filter { $0 != 2 }.subscribe(recorder)
    probe.send(1)
    probe.send(2)
    recorder.request(.max(5))
    #expect(probe.log == ["request 2", "answer 1", "answer 1", "request 5"])
    let dropping = Probe<Int, TestError>()
    dropping.dropFirst(3).subscribe(Recorder<Int, TestError>(.max(2)))
    #expect(dropping.log == ["request 2", "request 3"])
    let grouping = Probe<Int, TestError>()
    let groups = Recorder<[Int], TestError>(.max(2))
    groups.answer = .max(1)
    grouping.collect(3).subscribe(groups)
    for number in 1...3 { grouping.send(number) }
    #expect(grouping.log == ["request 6", "answer 3"])
    let folding = Probe<Int, TestError>()
    folding.reduce(0, +).subscribe(Recorder<Int, TestError>(.none))
    #expect(folding.log == ["request unlimited"])
  }
}
