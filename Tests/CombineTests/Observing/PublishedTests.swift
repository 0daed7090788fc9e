import Combine
import Testing

@Suite struct PublishedTests {
  class Model: ObservableObject {
    @Published var count = 0
    @Published var name: String? = nil
    var plain = 0
  }

  final class Derived: Model {
    @Published var extra = 1
  }

  final class ByHand: ObservableObject {
    var count = 0 { willSet { objectWillChange.send() } }
  }

  final class WithOwnPublisher: ObservableObject {
    let objectWillChange = PassthroughSubject<Int, Never>()
    @Published var count = 0
  }

  @Test func aNewValueIsSentBeforeThePropertyHasIt() {
    let model = Model()
    var seen: [String] = []
    let token = model.$count.sink { seen.append("\($0) over \(model.count)") }
    model.count = 1
    model.count += 1
    #expect(seen == ["0 over 0", "1 over 0", "2 over 1"])
    #expect(model.count == 2)
    token.cancel()
    model.count = 3
    #expect(seen.count == 3)
  }

  @Test func theObjectTellsBeforeTheValueIsSent() {
    let model = Derived()
    var seen: [String] = []
    let one = model.objectWillChange.sink { seen.append("will change \(model.count) \(model.extra)") }
    let two = model.$count.dropFirst().sink { seen.append("value \($0)") }
    model.count = 5
    model.extra = 6
    model.name = "x"
    model.plain = 1
    #expect(seen == ["will change 0 1", "value 5", "will change 5 1", "will change 5 6"])
    withExtendedLifetime((one, two)) {}
  }

  @Test func anObjectKeepsItsPublisherAndObjectsHaveTheirOwn() {
    let (one, two) = (Model(), Model())
    #expect(one.objectWillChange === one.objectWillChange)
    #expect(one.objectWillChange !== two.objectWillChange)
    let byHand = ByHand()
    var told = 0
    let token = byHand.objectWillChange.sink { told += 1 }
    byHand.count = 1
    byHand.count = 2
    #expect(told == 2)
    #expect(byHand.objectWillChange === byHand.objectWillChange)
    withExtendedLifetime(token) {}
  }

  @Test func anOwnPublisherIsLeftAlone() {
    let model = WithOwnPublisher()
    var told: [Int] = []
    let token = model.objectWillChange.sink { told.append($0) }
    model.count = 1
    model.objectWillChange.send(9)
    #expect(told == [9])
    withExtendedLifetime(token) {}
  }

  @Test func objectsGoThoughTheirPublishersWereAskedFor() {
    weak var last: Model?
    for _ in 0..<300 {
      let model = Model()
      _ = model.objectWillChange
      last = model
    }
    #expect(last == nil)
  }

  @Test func assignToAPropertyLivesAsLongAsTheProperty() {
    weak var gone: Model?
    let probe = Probe<Int, Never>()
    do {
      let model = Model()
      gone = model
      var told = 0
      let token = model.objectWillChange.sink { told += 1 }
      probe.assign(to: &model.$count)
      probe.send(7)
      #expect(model.count == 7)
      #expect(told == 1)
      withExtendedLifetime(token) {}
    }
    #expect(gone == nil)
    #expect(probe.log == ["request unlimited", "cancel"])
    #expect(probe.subscription == nil)
  }

  @Test func assignToAPropertyEndsWithThePublisher() {
    let model = Model()
    let probe = Probe<Int, Never>()
    probe.assign(to: &model.$count)
    probe.send(1)
    probe.finish()
    #expect(probe.subscription == nil)
    (1...3).publisher.assign(to: &model.$count)
    #expect(model.count == 3)
  }

  @Test func settingWithinAReceiveIsOverwrittenAsWithWillSet() {
    let model = Model()
    var seen: [Int] = []
    let token = model.$count.sink { value in
      seen.append(value)
      if value == 1 { model.count = 2 }
    }
    model.count = 1
    #expect(seen == [0, 1, 2])
    #expect(model.count == 1)
    withExtendedLifetime(token) {}
  }

  @Test func aSlowSubscriberGetsTheLatest() {
    let model = Model()
    let recorder = Recorder<Int, Never>(.none)
    model.$count.subscribe(recorder)
    model.count = 1
    model.count = 2
    recorder.request(.max(1))
    #expect(recorder.values == [2])
  }

  @Test @MainActor func aModelOfTheMainActorIsOrdinary() {
    @MainActor final class Screen: ObservableObject {
      @Published private(set) var title = "a"
      private var bag = Set<AnyCancellable>()
      private(set) var seen: [String] = []

      init() {
        $title.sink { [weak self] in self?.seen.append($0) }.store(in: &bag)
        title = "b"
      }
    }
    let screen = Screen()
    #expect(screen.seen == ["a", "b"] && screen.title == "b")
  }
}
