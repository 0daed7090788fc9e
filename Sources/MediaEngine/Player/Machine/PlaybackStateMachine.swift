package import CoreMedia
package import MediaRuntime

/// What a player is and does, as a value: events go in, actions come out, `state` and `values(of:)` are what to show.
///
/// Pure: no I/O, no clock, no lock, no thread. The shell (`PlayerCore`) runs it under the player's lock.
/// Rules: Docs/StateChoices.md lists what Apple's documents leave open.
package struct PlaybackStateMachine: Sendable {
  /// How long a player that waits calls it "evaluating" before it admits to waiting for data.
  package static let evaluationTime = Nanoseconds.milliseconds(100)

  package internal(set) var state = PlayerState()
  /// Items whose values changed in the last transition, each once, in order.
  package internal(set) var changedItems: [ItemID] = []
  package internal(set) var isClosed = false

  let supportedRates: SupportedRates
  var items: [ItemID: MachineItem] = [:]
  var actions: [Action] = []

  /// What the driver was told to do with the current item's timebase.
  enum Transport: Equatable {
    case halted
    /// Told to run; not moving yet.
    case starting(Float)
    case moving(Float)
  }

  var transport = Transport.halted
  /// `starting` already counts as playing: nothing but the start itself is waited for.
  var isStartShown = false
  /// A seek into buffered data: playing goes on as soon as it lands.
  var playsThroughSeek = false
  /// `playImmediately` was called: start without waiting for the buffer to fill.
  var ignoresBuffering = false
  /// From `setRate(_:time:atHostTime:)`, until the item can be run.
  var synchronizedStart: (time: CMTime, hostTime: HostTime?)?

  enum Evaluation: Equatable {
    case none
    /// Waiting, but not long enough to say why.
    case open(UInt64)
    case closed
  }

  var evaluation = Evaluation.none

  struct Preroll {
    var rate: Float
    var completion: CompletionID?
    var isSent = false
  }

  var preroll: Preroll?

  /// What the driver was last told about the queue.
  var driverCurrent: ItemID?
  var driverUpcoming: [ItemID] = []
  /// The driver went over to another item than it should have.
  var isDriverAstray = false
  var detaching: [ItemID] = []
  var counter: UInt64 = 0

  package init(supportedRates: SupportedRates = SupportedRates()) {
    self.supportedRates = supportedRates
  }

  /// The values of an item that is in the queue.
  package func values(of id: ItemID) -> ItemSnapshot? { items[id]?.values }

  /// The newest seek or step of each item that has one under way.
  package var pendingSeeks: [ItemID: SeekID] { items.compactMapValues { $0.seek?.request.id } }

  /// Which `.evaluationDue` would count.
  package var openEvaluation: UInt64? {
    if case .open(let number) = evaluation { number } else { nil }
  }

  /// True while the driver holds the item (to know when an output can be added to it).
  package func isAttached(_ id: ItemID) -> Bool { items[id]?.isAttached ?? false }

  /// True once the item has a time of its own to ask the driver for.
  package func isReady(_ id: ItemID) -> Bool { items[id]?.phase == .ready }

  /// The driver's timebase, to be shown when the item becomes ready.
  package mutating func adopt(_ timebase: CMTimebase?, for id: ItemID) { items[id]?.timebase = timebase }

  package mutating func handle(_ event: Event) -> [Action] {
    changedItems = []
    actions = []
    if isClosed {
      refuse(event)
    } else {
      take(event)
      if !isClosed { settle() }
    }
    defer { actions = [] }
    return actions
  }

  private mutating func take(_ event: Event) {
    switch event {
    case .play: setRate(state.defaultRate)
    case .setRate(let rate): setRate(rate)
    case .setDefaultRate(let rate): if rate.isFinite { state.defaultRate = rate }
    case .playImmediately(let rate): playImmediately(rate)
    case .setSynchronizedRate(let rate, let time, let hostTime): setSynchronizedRate(rate, time, hostTime)
    case .setAutomaticallyWaits(let waits): setAutomaticallyWaits(waits)
    case .setActionAtItemEnd(let action): setActionAtItemEnd(action)
    case .setVolume(let volume): setGain(volume: volume, muted: state.isMuted)
    case .setMuted(let muted): setGain(volume: state.volume, muted: muted)
    case .replaceCurrent(let seed): replaceCurrent(seed)
    case .insert(let seed, let after): insert(seed, after: after)
    case .remove(let id): remove(id)
    case .removeAll: removeAll()
    case .advance: if let current = state.current { remove(current) }
    case .seek(let id, let command): seek(id, command)
    case .cancelSeeks(let id): cancelSeeks(id)
    case .step(let id, let count): step(id, count)
    case .configure(let id, let change): configure(id, change)
    case .preroll(let rate, let completion): beginPreroll(rate, completion)
    case .cancelPrerolls: endPreroll(false)
    case .evaluationDue(let number): if evaluation == .open(number) { evaluation = .closed }
    case .driver(let event): take(event)
    case .close: close()
    }
  }

  private mutating func close() {
    removeAll()
    endPreroll(false)
    setEvaluation(.none)
    state.rate = 0
    state.timeControl = .paused
    state.waitingReason = nil
    haltTransport()
    if driverCurrent != nil { act(.driver(.setCurrent(nil, upcoming: []))) }
    driverCurrent = nil
    // Each item notes where it was.
    for id in detaching { act(.driver(.detach(id))) }
    detaching = []
    isClosed = true
    act(.driver(.close))
  }

  /// A closed player still owes its callers their answers.
  private mutating func refuse(_ event: Event) {
    switch event {
    case .seek(_, let command): complete(command.completion, false)
    case .preroll(_, let completion): complete(completion, false)
    case .replaceCurrent(let seed?), .insert(let seed, _):
      complete(seed.startSeek?.completion, false)
      act(.released(seed.id, seed.values, unlanded: seed.startSeek))
    default: break
    }
  }
}

extension PlaybackStateMachine {
  mutating func act(_ action: Action) { actions.append(action) }

  mutating func complete(_ completion: CompletionID?, _ finished: Bool) {
    if let completion { actions.append(.complete(completion, finished)) }
  }

  mutating func nextNumber() -> UInt64 {
    counter &+= 1
    return counter
  }

  var currentItem: MachineItem? { state.current.flatMap { items[$0] } }

  /// Changes an item's values and notes that they changed.
  mutating func update(_ id: ItemID, _ change: (inout ItemSnapshot) -> Void) {
    guard items[id] != nil else { return }
    change(&items[id, default: MachineItem(ItemSeed(id: id))].values)
    if !changedItems.contains(id) { changedItems.append(id) }
  }

  private mutating func setGain(volume: Float, muted: Bool) {
    guard volume == volume else { return }
    let volume = min(max(volume, 0), 1)
    guard volume != state.volume || muted != state.isMuted else { return }
    let old: Float = state.isMuted ? 0 : state.volume
    state.volume = volume
    state.isMuted = muted
    let new: Float = muted ? 0 : volume
    if new != old { act(.driver(.setGain(new))) }
  }
}
