import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("State machine: random sequences")
struct StateMachinePropertyTests {
  /// A hundred thousand sequences in all.
  @Test("Invariants hold, completions come exactly once, the driver's contract is kept", arguments: UInt64(0)..<4)
  func randomSequences(quarter: UInt64) {
    for index in 0..<UInt64(25_000) {
      let seed = quarter * 25_000 + index
      if let fault = StateMachineRun.fault(seed: seed) {
        Issue.record("Seed \(seed): \(fault)")
        return
      }
    }
  }

  @Test("The model notices a driver call that breaks the contract")
  func modelNotices() {
    var model = DriverModel()
    model.take(.run(rate: 1, from: nil, at: nil))
    model.take(.detach(.one))
    model.take(.halt)
    #expect(model.faults.count == 3)
  }
}

/// One sequence against the machine and the model of its driver.
private struct StateMachineRun {
  var numbers: SeededNumbers
  var machine: PlaybackStateMachine
  var driver = DriverModel()
  var maker = CommandMaker()
  var answered: Set<CompletionID> = []
  var released: Set<ItemID> = []

  /// Runs once more to tell the story when something is wrong: to write it down each time would be slow.
  static func fault(seed: UInt64) -> String? {
    guard faultAlone(seed: seed, tell: nil) != nil else { return nil }
    var story: [String] = []
    let fault = faultAlone(seed: seed) { event, machine in
      let text = "\(event)".replacing("MediaEngine.", with: "").prefix(100)
      let state = machine.state
      story.append("\(text)  → \(state.timeControl) \(state.rate) \(state.queue.map(\.number))")
    }
    return "\(fault ?? "gone") after:\n" + story.joined(separator: "\n")
  }

  private static func faultAlone(
    seed: UInt64, tell: ((PlaybackStateMachine.Event, PlaybackStateMachine) -> Void)?
  ) -> String? {
    var numbers = SeededNumbers(seed)
    var rates = SupportedRates()
    rates.reverse = numbers.chance(50)
    var run = StateMachineRun(numbers: numbers, machine: PlaybackStateMachine(supportedRates: rates))
    let steps = 5 + run.numbers.below(14)
    for _ in 0..<steps {
      let event = run.nextEvent()
      let fault = run.step(event)
      tell?(event, run.machine)
      if let fault { return fault }
    }
    return run.step(.close) ?? run.faultAtEnd()
  }

  mutating func nextEvent() -> PlaybackStateMachine.Event {
    let known = machine.state.queue + (driver.attached.last.map { [$0] } ?? [])
    switch numbers.below(100) {
    case 0..<45:
      return maker.command(&numbers, known: known)
    case 45..<92:
      return driver.plausible(&numbers).map { .driver($0) } ?? .play
    default:
      // Old news, in any state.
      let id = ItemID(numbers.below(6))
      let stale: [DriverEvent] = [
        .ready(id), .failed(id, .test), .started(id, rate: 1), .stalled(id), .reachedEnd(id),
        .landed(id, SeekID(numbers.below(20)), at: .zero), .prerolled(id, finished: true), .interruptionBegan,
        .advanced(from: id, to: ItemID(numbers.below(6))), .opened(id, .fake(video: false)), .frameRate(id, 25),
      ]
      return .driver(stale.randomElement(using: &numbers) ?? .interruptionEnded)
    }
  }

  mutating func step(_ event: PlaybackStateMachine.Event) -> String? {
    if case .driver(.ready(let id)) = event, driver.attached.contains(id) { driver.becomeReady(id) }
    for action in machine.handle(event) {
      switch action {
      case .driver(let call): driver.take(call)
      case .complete(let id, _):
        if !maker.asked.contains(id) || !answered.insert(id).inserted { return "completion \(id.number) twice" }
      case .released(let id, _, _):
        if !released.insert(id).inserted { return "item \(id.number) released twice" }
      default: break
      }
    }
    return driver.faults.first ?? brokenInvariant()
  }

  private func brokenInvariant() -> String? {
    let state = machine.state
    if (state.timeControl == .paused) != (state.rate == 0) { return "1: \(state)" }
    if state.timeControl == .playing {
      guard let current = state.current, machine.values(of: current)?.status == .readyToPlay else {
        return "2: \(state)"
      }
    }
    if (state.waitingReason != nil) != (state.timeControl == .waiting) { return "3: \(state)" }
    if state.waitingReason == .toMinimizeStalls, !state.automaticallyWaits { return "4: \(state)" }
    if state.waitingReason == .noItemToPlay, state.current != nil { return "waits for an item it has: \(state)" }
    if driver.current != state.current, !machine.isClosed {
      let status = state.current.flatMap { machine.values(of: $0)?.status }
      if status != .failed { return "the driver's current item is another one: \(state)" }
    }
    if state.rate == 0, driver.running != nil { return "the driver runs although paused: \(state)" }
    if Set(state.queue).count != state.queue.count { return "an item stands twice in the queue: \(state)" }
    return nil
  }

  private func faultAtEnd() -> String? {
    if answered != maker.asked { return "completions never called: \(maker.asked.subtracting(answered).count)" }
    return driver.isClosed ? nil : "the driver was not closed"
  }
}
