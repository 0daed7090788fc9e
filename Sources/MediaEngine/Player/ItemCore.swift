package import CoreMedia
import MediaRuntime

/// An item: its asset, its settings, and what it shows. While it belongs to a player, that player's machine runs it.
///
/// All members may be used from any thread. Outside a player the snapshot is frozen.
package final class ItemCore: Sendable {
  package typealias SeekCompletion = @Sendable (Bool) -> Void

  package let asset: AssetCore

  struct StartSeek: Sendable {
    var command: SeekCommand
    var completion: SeekCompletion?
  }

  struct State: Sendable {
    var snapshot = ItemSnapshot()
    var configuration = ItemConfiguration()
    weak var player: PlayerCore?
    /// Set while it belongs to a player.
    var id: ItemID?
    var hasBeenAttached = false
    /// Made before there was a player.
    var startSeek: StartSeek?
    /// Its time when it left its player.
    var restingTime = CMTime.zero
    var outputs: [VideoFrameOutput] = []
    var accessLog: [AccessLogRecord] = []
    var errorLog: [ErrorLogRecord] = []
    var attachedAt = HostTime.zero
    /// Item time at which the open access record began to count.
    var watchedFrom: CMTime?
    /// The item's counters when the open access record began.
    var countedFrom = PlaybackCounters()
    /// The last access record belongs to the present attachment.
    var isPeriodOpen = false
  }

  let state: Lock<State>

  package init(asset: AssetCore) {
    self.asset = asset
    state = Lock(State())
  }

  deinit {
    // Nobody is left to attach it: what was asked of it can't happen any more.
    let completion = state.withLock { $0.startSeek?.completion }
    completion?(false)
  }

  package var snapshot: ItemSnapshot { state.withLock { $0.snapshot } }

  /// What its player calls it; nil while it is no player's. Two players may use the same name.
  package var id: ItemID? { state.withLock { $0.id } }

  /// The player whose queue it is in.
  package var player: PlayerCore? { state.withLock { $0.player } }

  package var configuration: ItemConfiguration { state.withLock { $0.configuration } }

  /// Periods of playing, the oldest first.
  package var accessLog: [AccessLogRecord] {
    if let (player, id) = state.withLock({ Self.place($0) }) { count(player.driver.counters(of: id)) }
    return state.withLock { $0.accessLog }
  }
  package var errorLog: [ErrorLogRecord] { state.withLock { $0.errorLog } }

  package var outputs: [VideoFrameOutput] { state.withLock { $0.outputs } }

  /// What is heard and shown now; zero before the item is ready; where it was, after it has left its player.
  package func currentTime() -> CMTime {
    let (place, resting) = state.withLock { (Self.place($0), $0.restingTime) }
    guard let (player, id) = place else { return resting }
    return player.currentTime(of: id)
  }

  /// Without a player it sets where the item begins, and the completion waits for a player; the last one wins.
  /// The completion comes exactly once: false at once when the seek is superseded, cancelled or impossible.
  package func seek(
    to target: CMTime, toleranceBefore: CMTime = .positiveInfinity, toleranceAfter: CMTime = .positiveInfinity,
    completion: SeekCompletion? = nil
  ) {
    let command = SeekCommand(target: target, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter)
    enum Way { case player(PlayerCore, ItemID), refused, kept(SeekCompletion?) }
    let way: Way = state.withLock { state in
      if let (player, id) = Self.place(state) { return .player(player, id) }
      guard state.snapshot.status != .failed, PlaybackStateMachine.numericTarget(target) != nil else { return .refused }
      let superseded = state.startSeek?.completion
      let keepsCompletion = !state.hasBeenAttached
      state.startSeek = StartSeek(command: command, completion: keepsCompletion ? completion : nil)
      if !keepsCompletion, target.isNumeric { state.restingTime = target }
      return keepsCompletion ? .kept(superseded) : .refused
    }
    switch way {
    case .player(let player, let id): player.seek(item: id, command, completion)
    case .refused: completion?(false)
    case .kept(let superseded): superseded?(false)
    }
  }

  package func cancelPendingSeeks() {
    let (place, completion) = state.withLock { state in
      defer { state.startSeek?.completion = nil }
      return (Self.place(state), state.startSeek?.completion)
    }
    completion?(false)
    if let (player, id) = place { player.process(.cancelSeeks(id)) }
  }

  /// Moves by frames of the video track, back when negative. Has no effect while the rate is not zero.
  package func step(byCount count: Int) {
    if let (player, id) = state.withLock({ Self.place($0) }) { player.process(.step(id, count)) }
  }

  package func setEnabled(_ enabled: Bool, track id: Int32) { change(.enable(track: id, enabled)) }
  package func select(track id: Int32?, kind: TrackKind) { change(.select(track: id, kind)) }
  package func setForwardEndTime(_ time: CMTime) { change(.forwardEnd(time)) }
  package func setReverseEndTime(_ time: CMTime) { change(.reverseEnd(time)) }
  package func setPreferredForwardBufferDuration(_ seconds: Double) {
    change(.preferredForwardBuffer(seconds: seconds.isFinite ? max(seconds, 0) : 0))
  }

  private func change(_ change: ItemChange) {
    let place = state.withLock { state in
      state.configuration.apply(change)
      let place = Self.place(state)
      if place == nil { state.snapshot.apply(change) }
      return place
    }
    if let (player, id) = place { player.process(.configure(id, change)) }
  }

  /// An output added twice counts once.
  package func addOutput(_ output: VideoFrameOutput) {
    let place = state.withLock { state -> (PlayerCore, ItemID)? in
      guard !state.outputs.contains(where: { $0 === output }) else { return nil }
      state.outputs.append(output)
      return Self.place(state)
    }
    if let (player, id) = place { player.addOutput(output, to: id) }
  }

  package func removeOutput(_ output: VideoFrameOutput) {
    let place = state.withLock { state -> (PlayerCore, ItemID)? in
      state.outputs.removeAll { $0 === output }
      return Self.place(state)
    }
    if let (player, id) = place { player.removeOutput(output, from: id) }
  }

  /// A new item of the same asset with the same settings; neither outputs nor position are copied.
  package func copyConfiguration() -> ItemCore {
    let copy = ItemCore(asset: asset)
    let (configuration, old) = state.withLock { ($0.configuration, $0.snapshot) }
    copy.state.withLock { state in
      state.configuration = configuration
      state.snapshot.forwardEndTime = old.forwardEndTime
      state.snapshot.reverseEndTime = old.reverseEndTime
      state.snapshot.preferredForwardBufferDuration = old.preferredForwardBufferDuration
    }
    return copy
  }

  private static func place(_ state: State) -> (PlayerCore, ItemID)? {
    guard let player = state.player, let id = state.id else { return nil }
    return (player, id)
  }
}
