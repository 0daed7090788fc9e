import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("PlayerCore: ends and leaks")
struct PlayerLifetimeTests {
  enum Phase: CaseIterable, Sendable {
    case new, loading, ready, seeking, playing, stalled, ended, prerolling, queued, failed
  }

  private struct Traces {
    weak var player: PlayerCore?
    weak var item: ItemCore?
    weak var driver: FakeDriver?
    weak var token: ObserverToken?
  }

  /// Brings a player into a phase and lets go of it.
  private func live(_ phase: Phase, _ runner: PlayerRunner, closing: Bool, answers: Answers) throws -> Traces {
    var traces = Traces()
    let player = PlayerCore(environment: runner.environment)
    let item = runner.makeItem(phase == .failed ? "bad" : "a")
    traces.player = player
    traces.item = item
    traces.driver = runner.takeLastDriver()
    let token = player.addPeriodicObserver(interval: CMTime(value: 1, timescale: 10), queue: nil) { _ in }
    traces.token = token
    player.eventHandler = { _ in }
    item.seek(to: CMTime(value: 1, timescale: 1), completion: answers.next())
    if phase == .new { return traces }
    player.replaceCurrentItem(item)
    if phase == .queued { player.insert(runner.makeItem("b"), after: nil) }
    if phase == .loading {
      item.seek(to: CMTime(value: 2, timescale: 1), completion: answers.next())
      return traces
    }
    try runner.pass(.milliseconds(100))
    switch phase {
    case .new, .loading, .ready, .queued, .failed: break
    case .seeking: player.seek(to: CMTime(value: 3, timescale: 1), completion: answers.next())
    case .prerolling: player.preroll(atRate: 1, completion: answers.next())
    case .playing, .stalled, .ended:
      player.play()
      try runner.pass(.milliseconds(500))
      if phase == .stalled { traces.driver?.stall(for: .milliseconds(100_000)) }
      try runner.pass(phase == .ended ? .milliseconds(20_000) : .milliseconds(10))
    }
    if closing { player.close() }
    return traces
  }

  @Test(
    "Dropped in any phase, nothing stays and every completion has come once", arguments: Phase.allCases, [true, false])
  func dropped(phase: Phase, closing: Bool) throws {
    var bad = FakeDriver.Script()
    bad.failure = MediaError(.containerUnknown, "No film: choose another file.")
    let runner = PlayerRunner(scripts: ["bad": bad], keepsDrivers: false)
    defer { runner.shutdown() }
    let answers = Answers()
    let traces = try live(phase, runner, closing: closing, answers: answers)
    try runner.pass(.milliseconds(1_000))
    #expect(traces.player == nil)
    #expect(traces.item == nil)
    #expect(traces.driver == nil)
    #expect(traces.token == nil)
    #expect(answers.isComplete)
  }

  @Test("After close nothing is told and pending completions have come")
  func close() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem()
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.playing)
    let answers = Answers()
    player.seek(to: .zero, completion: answers.next())
    runner.recorder(player).clear()
    player.close()
    #expect(answers.isComplete)
    #expect(item.player == nil)
    player.play()
    player.seek(to: .zero, completion: answers.next())
    try runner.pass(.milliseconds(20_000))
    #expect(runner.recorder(player).lines == [])
    #expect(answers.isComplete)
    #expect(runner.fakeDrivers.first?.isClosed == true)
  }

  @Test("P085: 200 replacements in ten seconds end with the last item playing and hold on to no other")
  func replacements() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    player.play()
    for index in 0..<200 {
      player.replaceCurrentItem(runner.makeItem("\(index)"))
      if index % 3 == 0 { player.seek(to: CMTime(value: 1, timescale: 1)) }
      try runner.pass(.milliseconds(50))
    }
    runner.recorder(player).clear()
    try runner.pass(.milliseconds(1_000))
    #expect(player.snapshot.timeControl == .playing)
    #expect(player.snapshot.currentItem?.asset.url.lastPathComponent == "199")
    #expect(runner.fakeDrivers.first?.attachedCount == 1)
    #expect(!runner.recorder(player).text.contains("198"))
  }

  @Test("A thousand random sequences keep the invariants and answer every completion once")
  func randomSequences() throws {
    var bad = FakeDriver.Script()
    bad.failure = MediaError(.containerUnknown, "No film: choose another file.")
    let runner = PlayerRunner(scripts: ["2": bad], keepsDrivers: false)
    defer { runner.shutdown() }
    for seed in UInt64(0)..<1000 {
      let answers = Answers()
      weak var dropped: PlayerCore?
      try {
        let player = PlayerCore(environment: runner.environment)
        dropped = player
        var play = RandomPlay(seed: seed, player: player, runner: runner, answers: answers)
        try play.run()
      }()
      try runner.pass(.milliseconds(5))
      guard answers.isComplete, dropped == nil else {
        Issue.record("Seed \(seed): answers \(answers.text), player \(dropped == nil ? "gone" : "left")")
        return
      }
    }
  }
}

/// Counts that every completion comes exactly once.
final class Answers: Sendable {
  private let counts = Lock<[Int]>([])

  func next() -> @Sendable (Bool) -> Void {
    let index = counts.withLock { counts in
      counts.append(0)
      return counts.count - 1
    }
    return { [self] _ in counts.withLock { $0[index] += 1 } }
  }

  var isComplete: Bool { counts.withLock { $0.allSatisfy { $0 == 1 } } }
  var text: String { counts.withLock { "\($0)" } }
}

/// Random commands to one player, with time passing between them, and the invariants after each.
private struct RandomPlay {
  var numbers: SeededNumbers
  let player: PlayerCore
  let runner: PlayerRunner
  let answers: Answers

  init(seed: UInt64, player: PlayerCore, runner: PlayerRunner, answers: Answers) {
    numbers = SeededNumbers(seed)
    self.player = player
    self.runner = runner
    self.answers = answers
  }

  mutating func run() throws {
    player.eventHandler = { _ in }
    for _ in 0..<(4 + numbers.below(12)) {
      command()
      check()
      if numbers.chance(50) {
        try runner.pass(.milliseconds(Int64(numbers.below(60))))
        check()
      }
    }
    if numbers.chance(50) { player.close() }
  }

  private mutating func command() {
    let current = player.snapshot.currentItem
    switch numbers.below(15) {
    case 0, 1, 2: player.play()
    case 3: player.pause()
    case 4: player.playImmediately(atRate: 2)
    case 5, 6: player.replaceCurrentItem(runner.makeItem("\(numbers.below(4))"))
    case 7: player.insert(runner.makeItem("\(numbers.below(4))"), after: current)
    case 8: player.advanceToNextItem()
    case 9, 10:
      player.seek(to: CMTime(value: Int64(numbers.below(12)), timescale: 1), completion: answers.next())
    case 11:
      current?.seek(to: .positiveInfinity, completion: answers.next())
      current?.cancelPendingSeeks()
      if current == nil { player.seek(to: .zero, completion: answers.next()) }
    case 12: player.setActionAtItemEnd([.advance, .pause, .none][Int(numbers.below(3))])
    case 13: player.setAutomaticallyWaits(numbers.chance(50))
    default: player.preroll(atRate: 1, completion: answers.next())
    }
  }

  private func check() {
    let snapshot = player.snapshot
    #expect((snapshot.timeControl == .paused) == (snapshot.rate == 0))
    #expect((snapshot.waitingReason != nil) == (snapshot.timeControl == .waiting))
    if snapshot.waitingReason == .toMinimizeStalls { #expect(snapshot.automaticallyWaits) }
    if snapshot.timeControl == .playing { #expect(snapshot.currentItem?.snapshot.status == .readyToPlay) }
  }
}
