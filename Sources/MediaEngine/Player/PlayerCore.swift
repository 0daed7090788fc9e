package import CoreMedia
import Dispatch
import MediaRuntime

/// A player: the state machine under a lock, and the shell that carries out what it says.
///
/// Every member may be called from any thread and returns at once. A command runs the machine on the caller's thread;
/// the new snapshot is published before the call returns, and so are the events that the call caused (see `AppLane`
/// for the rare exception). Items, observers and completions never keep the player alive.
package final class PlayerCore: Sendable {
  struct State: Sendable {
    var machine: PlaybackStateMachine
    var snapshot = PlayerSnapshot()
    var shown = PlayerState()
    var cores: [ItemID: ItemCore] = [:]
    var completions: [CompletionID: @Sendable (Bool) -> Void] = [:]
    var number: UInt64 = 0
    var handler: (@Sendable (PlayerEvent) -> Void)?
    var app = AppLane()
    var driver = DriverLane()
    var evaluation: Ticket?

    mutating func nextNumber() -> UInt64 {
      number &+= 1
      return number
    }
  }

  package let environment: EngineEnvironment
  let driver: any PlaybackDriver
  /// Timers and observers; what it runs never waits.
  let queue: SerialQueue
  let observers: TimeObservers
  let state: Lock<State>
  /// Its items bear it in their names.
  let number: UInt64
  private static let count = Lock<UInt64>(0)

  package init(environment: EngineEnvironment) {
    self.environment = environment
    number = Self.count.withLock { count in
      count &+= 1
      return count
    }
    let relay = EventRelay()
    driver = environment.driver { [relay] in relay.send($0) }
    queue = environment.scheduler.queue("player", .light)
    observers = TimeObservers(scheduler: environment.scheduler, queue: queue, driver: driver)
    state = Lock(State(machine: PlaybackStateMachine(supportedRates: driver.supportedRates)))
    relay.connect(self)
  }

  deinit {
    // Nobody else is left: no lane, no order to keep.
    let (completions, effects) = state.withLock { state -> ([@Sendable (Bool) -> Void], Effects) in
      var effects = Effects(thread: nil)
      if !state.machine.isClosed {
        let left = state.cores
        defer { for (id, core) in left { core.rest(at: driver.currentTime(of: id), driver.counters(of: id)) } }
        let actions = state.machine.handle(.close)
        apply(actions, to: &state, &effects)
      }
      let left = state.app.takeAll().compactMap { if case .completion(let run, _) = $0 { run } else { nil } }
      return (left, effects)
    }
    driver.close()
    observers.close()
    queue.close()
    for tell in effects.tellings { tell() }
    for completion in completions { completion(false) }
    withExtendedLifetime(effects) {}
  }

  package var snapshot: PlayerSnapshot { state.withLock { $0.snapshot } }

  /// Receives every event until `close`. Set it before the first item comes.
  package var eventHandler: (@Sendable (PlayerEvent) -> Void)? {
    get { state.withLock { $0.handler } }
    set { state.withLock { $0.handler = newValue } }
  }

  /// The current item's time: what is heard and shown. Zero without an item, and before it is ready.
  package func currentTime() -> CMTime {
    let current = state.withLock { state in
      state.machine.state.current.flatMap { state.machine.isReady($0) ? $0 : nil }
    }
    return current.map { driver.currentTime(of: $0) } ?? .zero
  }

  func currentTime(of id: ItemID) -> CMTime {
    let isReady = state.withLock { $0.machine.isReady(id) }
    return isReady ? driver.currentTime(of: id) : .zero
  }

  /// Stops everything for good, frees the items and answers what is pending. No event comes afterwards.
  package func close() {
    process(.close)
    state.withLock { $0.handler = nil }
  }
}

/// Brings the driver's events to the player as long as there is one.
private final class EventRelay: Sendable {
  private struct Target: Sendable { weak var player: PlayerCore? }
  private let target = Lock(Target())

  func connect(_ player: PlayerCore) {
    target.withLock { $0.player = player }
  }

  func send(_ event: DriverEvent) {
    let player = target.withLock { $0.player }
    player?.processDriver(event)
  }
}
