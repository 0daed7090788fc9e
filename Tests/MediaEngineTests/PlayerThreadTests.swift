import CoreMedia
import Dispatch
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("PlayerCore under threads", .serialized)
struct PlayerThreadTests {
  private final class Driver: Sendable {
    let made = Lock<FakeDriver?>(nil)
  }

  private static func environment() -> EngineEnvironment {
    let backend = FakeBackend()
    var environment = EngineEnvironment(
      scheduler: RealScheduler.shared, backend: backend, sources: backend, audioSinks: CapturingAudioSinks())
    environment.makeDriver = { environment, events in
      var script = FakeDriver.Script()
      script.openingTime = .microseconds(50)
      script.readyingTime = .microseconds(50)
      script.startingTime = .microseconds(50)
      script.seekingTime = .microseconds(100)
      script.description = .fake(duration: CMTime(value: 1, timescale: 500))
      return FakeDriver(
        scheduler: environment.scheduler, scripts: ["0": script, "1": script, "2": script], onEvent: events)
    }
    return environment
  }

  @Test("Four threads of random commands: transitions are told in order, completions come once, nothing hangs")
  func randomCommands() throws {
    let environment = Self.environment()
    let player = PlayerCore(environment: environment)
    let chain = Chain()
    player.eventHandler = { chain.take($0) }
    let pending = DispatchGroup()
    let threads = DispatchGroup()
    for number in UInt64(0)..<4 {
      threads.enter()
      Thread.detachNewThread {
        var numbers = SeededNumbers(number)
        for _ in 0..<1500 { Self.command(player, environment, &numbers, pending) }
        threads.leave()
      }
    }
    try #require(threads.wait(timeout: .now() + 60) == .success)
    player.close()
    // Each completion leaves once; a second call would trap.
    #expect(pending.wait(timeout: .now() + 30) == .success)
    #expect(chain.broken == [])
    #expect(chain.count > 1000)
  }

  private static func command(
    _ player: PlayerCore, _ environment: EngineEnvironment, _ numbers: inout SeededNumbers, _ pending: DispatchGroup
  ) {
    let answer: @Sendable (Bool) -> Void = { _ in pending.leave() }
    switch numbers.below(12) {
    case 0, 1: player.play()
    case 2: player.pause()
    case 3: player.setRate(Float(numbers.below(4)))
    case 4, 5:
      pending.enter()
      player.seek(to: CMTime(value: Int64(numbers.below(3)), timescale: 1000), completion: answer)
    case 6:
      let url = URL(fileURLWithPath: "/\(numbers.below(3))")
      let item = ItemCore(asset: AssetCore(url: url, options: .init(), environment: environment))
      pending.enter()
      item.seek(to: .zero, completion: answer)
      player.replaceCurrentItem(item)
    case 7: player.setActionAtItemEnd(numbers.chance(50) ? .advance : .pause)
    case 8: _ = player.currentTime()
    case 9:
      let token = player.addPeriodicObserver(interval: CMTime(value: 1, timescale: 1000), queue: nil) { _ in }
      if numbers.chance(50) { player.removeObserver(token) }
    case 10: player.setVolume(Float(numbers.below(3)) / 2)
    default:
      pending.enter()
      player.preroll(atRate: 1, completion: answer)
    }
  }

  @Test("Players dropped by other threads while they load leave nothing behind")
  func droppedWhileLoading() throws {
    let environment = Self.environment()
    let pending = DispatchGroup()
    let threads = DispatchGroup()
    for number in UInt64(0)..<4 {
      threads.enter()
      Thread.detachNewThread {
        var numbers = SeededNumbers(number + 100)
        for _ in 0..<100 {
          let player = PlayerCore(environment: environment)
          for _ in 0..<(1 + numbers.below(6)) { Self.command(player, environment, &numbers, pending) }
        }
        threads.leave()
      }
    }
    try #require(threads.wait(timeout: .now() + 60) == .success)
    #expect(pending.wait(timeout: .now() + 30) == .success)
  }
}

/// Checks that each transition that is told begins where the one before ended.
private final class Chain: Sendable {
  private struct State {
    var rate: Float = 0
    var timeControl = TimeControl.paused
    var item: ObjectIdentifier?
    var count = 0
    var broken: [String] = []
  }

  private let state = Lock(State())

  var broken: [String] { state.withLock { $0.broken } }
  var count: Int { state.withLock { $0.count } }

  func take(_ event: PlayerEvent) {
    guard case .playerChanged(let old, let new) = event else { return }
    state.withLock { state in
      let item = old.currentItem.map { ObjectIdentifier($0) }
      if old.rate != state.rate || old.timeControl != state.timeControl || item != state.item, state.broken.count < 3 {
        state.broken.append("\(state.count): \(old.rate) \(old.timeControl) after \(state.rate) \(state.timeControl)")
      }
      state.rate = new.rate
      state.timeControl = new.timeControl
      state.item = new.currentItem.map { ObjectIdentifier($0) }
      state.count += 1
    }
  }
}
