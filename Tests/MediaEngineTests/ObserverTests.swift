import CoreMedia
import Dispatch
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("Time observers")
struct ObserverTests {
  private static let second = CMTime(value: 1, timescale: 1)

  private func ready(_ runner: PlayerRunner) throws -> (PlayerCore, PlayerRecorder) {
    let player = runner.makePlayer()
    player.replaceCurrentItem(runner.makeItem())
    try runner.advance(player).until(.ready)
    return (player, runner.recorder(player))
  }

  private func observed(_ recorder: PlayerRecorder) -> [String] {
    recorder.lines.filter { $0.contains("observed") || $0.contains("passed") }
  }

  @Test("A periodic observer is called when added, at start, at multiples in item time, and at the stop")
  func periodic() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    let token = player.addPeriodicObserver(interval: Self.second, queue: nil, block: recorder.periodic())
    player.play()
    try runner.advance(player).until(.position(2.5))
    player.pause()
    try runner.pass(.milliseconds(5_000))
    withExtendedLifetime(token) {}
    #expect(
      observed(recorder) == [
        "0.020 observed 0.000", "0.025 observed 0.000", "1.025 observed 1.000", "2.025 observed 2.000",
        "2.525 observed 2.500",
      ])
  }

  @Test("At rate 2 the interval is still item time")
  func doubleRate() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    player.setRate(2)
    try runner.advance(player).until(.playing)
    recorder.clear()
    let token = player.addPeriodicObserver(interval: Self.second, queue: nil, block: recorder.periodic())
    try runner.pass(.milliseconds(1600))
    withExtendedLifetime(token) {}
    #expect(
      observed(recorder) == [
        "0.025 observed 0.000", "0.525 observed 1.000", "1.025 observed 2.000", "1.525 observed 3.000",
      ])
  }

  @Test("A rate that changes between two calls moves the next one")
  func changedRate() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    player.play()
    try runner.advance(player).until(.position(0.5))
    recorder.clear()
    let token = player.addPeriodicObserver(interval: Self.second, queue: nil, block: recorder.periodic())
    try runner.pass(.zero)
    player.setRate(2)
    try runner.pass(.milliseconds(800))
    withExtendedLifetime(token) {}
    #expect(observed(recorder).map { $0.suffix(5) } == ["0.500", "1.000", "2.000"])
  }

  @Test("Paused, each seek calls once, and otherwise nothing wakes up")
  func pausedSeeks() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    let token = player.addPeriodicObserver(
      interval: CMTime(value: 1, timescale: 30), queue: nil, block: recorder.periodic())
    try runner.pass(.milliseconds(1_000))
    recorder.clear()
    let steps = runner.scheduler.steps
    try runner.pass(.milliseconds(600_000))
    #expect(runner.scheduler.steps == steps)
    player.seek(to: CMTime(value: 5, timescale: 1))
    try runner.pass(.milliseconds(1_000))
    player.seek(to: CMTime(value: 3, timescale: 1))
    try runner.pass(.milliseconds(1_000))
    withExtendedLifetime(token) {}
    #expect(observed(recorder).map { $0.suffix(5) } == ["5.000", "3.000"])
  }

  @Test("While stalled nothing is called but the stop and the new start")
  func stalled() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    player.play()
    try runner.advance(player).until(.position(1.5))
    let token = player.addPeriodicObserver(interval: Self.second, queue: nil, block: recorder.periodic())
    try runner.pass(.zero)
    recorder.clear()
    runner.fakeDrivers.first?.stall(for: .milliseconds(3_000))
    try runner.pass(.milliseconds(3200))
    withExtendedLifetime(token) {}
    #expect(observed(recorder).map { $0.suffix(5) } == ["1.500", "1.500"])
  }

  @Test("After removal no call begins, from inside the block as well")
  func removal() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    let token = player.addPeriodicObserver(interval: Self.second, queue: nil, block: recorder.periodic())
    #expect(player.owns(token))
    player.play()
    player.removeObserver(token)
    #expect(!player.owns(token))
    try runner.pass(.milliseconds(3_000))
    #expect(observed(recorder) == [])
    player.removeObserver(token)
  }

  @Test("A forgotten token ends its observer and frees what the block holds")
  func forgottenToken() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    weak var held: Answers?
    do {
      let holder = Answers()
      held = holder
      _ = player.addPeriodicObserver(interval: Self.second, queue: nil) { _ in _ = holder.isComplete }
    }
    player.play()
    try runner.pass(.milliseconds(2_000))
    #expect(held == nil)
    #expect(observed(recorder) == [])
  }

  @Test("Another player's token is not owned, and removing it there changes nothing")
  func foreignToken() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    let other = runner.makePlayer()
    let token = player.addPeriodicObserver(interval: Self.second, queue: nil, block: recorder.periodic())
    #expect(!other.owns(token))
    other.removeObserver(token)
    try runner.pass(.zero)
    #expect(observed(recorder).count == 1)
  }

  @Test("Blocks run on the queue that was given")
  func queue() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, _) = try ready(runner)
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "observers")
    queue.setSpecific(key: key, value: true)
    let found = Lock<[Bool]>([])
    let token = player.addPeriodicObserver(interval: Self.second, queue: queue) { _ in
      found.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
    }
    player.play()
    try runner.pass(.milliseconds(1500))
    withExtendedLifetime(token) {}
    #expect(found.withLock { $0 } == [true, true, true])
  }

  @Test("An observer survives the item; without one it is told zero")
  func itemChange() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    player.play()
    try runner.advance(player).until(.position(1.5))
    let token = player.addPeriodicObserver(interval: Self.second, queue: nil, block: recorder.periodic())
    try runner.pass(.zero)
    recorder.clear()
    player.replaceCurrentItem(nil)
    try runner.pass(.milliseconds(1_000))
    #expect(observed(recorder).map { $0.suffix(5) } == ["0.000"])
    recorder.clear()
    player.replaceCurrentItem(runner.makeItem("b"))
    try runner.pass(.milliseconds(1100))
    withExtendedLifetime(token) {}
    #expect(observed(recorder).map { $0.suffix(5) } == ["0.000", "0.000", "1.000"])
  }

  @Test("A tiny interval is called less often, never more than 200 times a second")
  func tinyInterval() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    player.play()
    try runner.advance(player).until(.playing)
    let token = player.addPeriodicObserver(
      interval: CMTime(value: 1, timescale: 1_000_000), queue: nil, block: recorder.periodic())
    try runner.pass(.milliseconds(1_000))
    withExtendedLifetime(token) {}
    #expect((150...202).contains(observed(recorder).count))
  }

  // MARK: Boundaries

  @Test("A boundary is called when playing passes it, once each time")
  func boundary() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    let times = [CMTime(value: 2, timescale: 1), CMTime(value: 1, timescale: 1)]
    let token = player.addBoundaryObserver(times: times, queue: nil, block: recorder.boundary())
    player.play()
    try runner.advance(player).until(.position(3))
    player.seek(to: CMTime(value: 3, timescale: 2))
    try runner.pass(.milliseconds(1_000))
    withExtendedLifetime(token) {}
    #expect(observed(recorder) == ["1.025 passed", "2.025 passed", "3.550 passed"])
  }

  @Test("A seek over a boundary does not call it")
  func boundarySeek() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    let token = player.addBoundaryObserver(times: [Self.second], queue: nil, block: recorder.boundary())
    player.play()
    try runner.advance(player).until(.position(0.5))
    player.seek(to: CMTime(value: 5, timescale: 1))
    try runner.pass(.milliseconds(2_000))
    withExtendedLifetime(token) {}
    #expect(observed(recorder) == [])
  }

  @Test("Backward a boundary is passed too")
  func boundaryBackward() throws {
    var rates = SupportedRates()
    rates.reverse = true
    let runner = PlayerRunner(rates: rates)
    defer { runner.shutdown() }
    let (player, recorder) = try ready(runner)
    player.seek(to: CMTime(value: 3, timescale: 1))
    try runner.pass(.milliseconds(1_000))
    let token = player.addBoundaryObserver(
      times: [CMTime(value: 1, timescale: 1), CMTime(value: 2, timescale: 1)], queue: nil,
      block: recorder.boundary())
    player.setRate(-1)
    try runner.pass(.milliseconds(2500))
    withExtendedLifetime(token) {}
    #expect(observed(recorder).count == 2)
  }

  @Test("A boundary at the end of a gaplessly followed item is passed")
  func boundaryAtJoint() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let recorder = runner.recorder(player)
    player.setActionAtItemEnd(.advance)
    for name in ["a", "b"] { player.insert(runner.makeItem(name), after: nil) }
    let token = player.addBoundaryObserver(
      times: [CMTime(value: 10, timescale: 1)], queue: nil, block: recorder.boundary())
    player.play()
    try runner.pass(.milliseconds(11_000))
    withExtendedLifetime(token) {}
    #expect(observed(recorder).count == 1)
  }
}
