package import CoreMedia
import Foundation
package import MediaEngine
package import MediaIO
package import MediaRuntime

/// Players on virtual time, moved by the test: `try runner.advance(player).until(.ready)`.
///
/// A run ends in an error when its time limit is over, when a thread posts that the scheduler does not order, when
/// nobody can go on, and when the player tells of an error that the test does not wait for.
package final class PlayerRunner: Sendable {
  package let scheduler: VirtualScheduler
  package let environment: EngineEnvironment
  private let drivers: MadeDrivers
  private let recorders = Lock<[ObjectIdentifier: PlayerRecorder]>([:])

  private final class MadeDrivers: Sendable {
    let list = Lock<[FakeDriver]>([])
  }

  /// Over the pipeline and a fake backend, to which the media are added.
  package convenience init(backend: FakeBackend, sinks: any AudioSinkFactory = CapturingAudioSinks()) {
    self.init(media: backend, sources: backend, sinks: sinks)
  }

  /// Over the pipeline and any backend.
  package init(
    media: any MediaBackend, sources: any SourceOpener, sinks: any AudioSinkFactory,
    options: VirtualScheduler.Options? = nil
  ) {
    scheduler = options.map { VirtualScheduler($0) } ?? Self.makeScheduler()
    drivers = MadeDrivers()
    environment = EngineEnvironment(scheduler: scheduler, backend: media, sources: sources, audioSinks: sinks)
  }

  /// Over fake drivers instead of the pipeline.
  /// - Parameters:
  ///   - scripts: by the item's name; others get the default script.
  ///   - keepsDrivers: false lets drivers go with their players, for tests of leaks.
  package init(
    scripts: [String: FakeDriver.Script] = [:], rates: SupportedRates = SupportedRates(), keepsDrivers: Bool = true
  ) {
    scheduler = Self.makeScheduler()
    drivers = MadeDrivers()
    let backend = FakeBackend()
    var environment = EngineEnvironment(
      scheduler: scheduler, backend: backend, sources: backend, audioSinks: CapturingAudioSinks())
    environment.makeDriver = { [drivers] environment, events in
      let driver = FakeDriver(scheduler: environment.scheduler, scripts: scripts, rates: rates, onEvent: events)
      drivers.list.withLock { $0 = keepsDrivers ? $0 + [driver] : [driver] }
      return driver
    }
    self.environment = environment
  }

  private static func makeScheduler() -> VirtualScheduler {
    var options = VirtualScheduler.Options()
    options.ownsMain = false
    return VirtualScheduler(options)
  }

  /// Ends the scheduler's threads: every test's last line (`defer`).
  package func shutdown() { scheduler.shutdown() }

  // MARK: Making

  /// A player whose events are written down.
  package func makePlayer() -> PlayerCore {
    let player = PlayerCore(environment: environment)
    let recorder = PlayerRecorder(player, scheduler)
    recorders.withLock { $0[ObjectIdentifier(player)] = recorder }
    return player
  }

  package func makeItem(_ name: String = "a") -> ItemCore {
    let url = URL(string: "fake:///\(name)") ?? URL(fileURLWithPath: "/\(name)")
    return ItemCore(asset: AssetCore(url: url, options: SourceOptions(), environment: environment))
  }

  /// What `makePlayer` writes down; a new, empty one for other players.
  package func recorder(_ player: PlayerCore) -> PlayerRecorder {
    recorders.withLock { $0[ObjectIdentifier(player)] } ?? PlayerRecorder(player, scheduler)
  }

  /// The fake drivers that players made, in order.
  package var fakeDrivers: [FakeDriver] { drivers.list.withLock { $0 } }

  /// The driver made last, which the runner keeps no longer.
  package func takeLastDriver() -> FakeDriver? { drivers.list.withLock { $0.popLast() } }

  // MARK: Moving

  /// - Parameter limit: how far time may move, from now on.
  package func advance(_ player: PlayerCore, limit: Nanoseconds = .seconds(60 as Int64)) -> Advance {
    Advance(scheduler: scheduler, player: player, recorder: recorder(player), limit: limit)
  }

  /// Moves time by so much, whatever happens.
  package func pass(_ duration: Nanoseconds) throws {
    let outcome = scheduler.advance(by: duration)
    switch outcome {
    case .deadlock, .foreign: throw RunnerStop("passing \(duration.seconds) s: \(outcome)")
    case .condition, .limit, .idle: break
    }
  }
}

/// A run ended otherwise than its test wanted.
package struct RunnerStop: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// What to wait for.
package struct PlayerCondition: Sendable {
  let name: String
  /// An error is no surprise.
  var expectsFailure = false
  let holds: @Sendable (PlayerCore, PlayerRecorder) -> Bool

  package init(_ name: String, holds: @escaping @Sendable (PlayerCore, PlayerRecorder) -> Bool) {
    self.name = name
    self.holds = holds
  }

  package static let ready = PlayerCondition("ready") { player, _ in
    player.snapshot.currentItem?.snapshot.status == .readyToPlay
  }
  package static let failed: PlayerCondition = {
    var condition = PlayerCondition("failed") { _, recorder in recorder.failure != nil }
    condition.expectsFailure = true
    return condition
  }()
  package static let playing = timeControl(.playing)
  package static let paused = timeControl(.paused)
  package static let waiting = timeControl(.waiting)
  /// The end was notified since the run began.
  package static let ended = PlayerCondition("ended") { _, recorder in recorder.endCount > 0 }

  private static func timeControl(_ wanted: TimeControl) -> PlayerCondition {
    PlayerCondition("\(wanted)") { player, _ in player.snapshot.timeControl == wanted }
  }

  /// The current item's time is there or later; earlier when it plays backward.
  package static func position(_ time: CMTime) -> PlayerCondition {
    PlayerCondition("position \(time.seconds)") { player, _ in
      player.snapshot.rate < 0 ? player.currentTime() <= time : player.currentTime() >= time
    }
  }

  package static func position(_ seconds: Double) -> PlayerCondition {
    position(CMTime(seconds: seconds, preferredTimescale: 1_000_000))
  }

  package static func written(_ line: String) -> PlayerCondition {
    PlayerCondition("“\(line)”") { _, recorder in recorder.plainLines.contains(line) }
  }
}

extension PlayerRunner {
  /// A run that is about to begin.
  package struct Advance {
    let scheduler: VirtualScheduler
    let player: PlayerCore
    let recorder: PlayerRecorder
    let limit: Nanoseconds

    /// A position moves without steps; it is looked at this often.
    private static let slice = Nanoseconds.milliseconds(5)

    package func until(_ condition: PlayerCondition) throws {
      let deadline = scheduler.now + limit
      let ends = recorder.endCount
      let holds: @Sendable () -> Bool = { [player, recorder] in
        condition.name == "ended" ? recorder.endCount > ends : condition.holds(player, recorder)
      }
      while !holds() {
        if !condition.expectsFailure, let error = recorder.failure {
          throw stop(condition, "the player failed: \(error)")
        }
        guard scheduler.now < deadline else { throw stop(condition, "the time limit was reached") }
        let before = scheduler.now
        let outcome = scheduler.run(limit: min(Self.slice, deadline - before), until: holds)
        switch outcome {
        case .condition, .limit: break
        case .deadlock, .foreign: throw stop(condition, "\(outcome)")
        case .idle:
          // Nothing will happen by itself, but a running clock still runs.
          scheduler.advance(by: Self.slice)
        }
      }
      // What was told at this instant is delivered before the test looks.
      scheduler.advance(by: .zero)
    }

    private func stop(_ condition: PlayerCondition, _ reason: String) -> RunnerStop {
      let snapshot = player.snapshot
      return RunnerStop(
        "Waiting for \(condition.name): \(reason). Now \(snapshot.timeControl) at rate \(snapshot.rate), time "
          + "\(player.currentTime().seconds). Written down:\n\(recorder.text)")
    }
  }
}
