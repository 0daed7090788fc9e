package import CoreMedia
import MediaRuntime

/// An item: its asset, its settings, and what it shows. While it belongs to a player, that player's machine runs it.
///
/// All members may be used from any thread. Outside a player the snapshot is frozen.
package final class ItemCore: Sendable {
  package typealias SeekCompletion = @Sendable (Bool) -> Void

  package let asset: AssetCore

  struct State: Sendable {
    var snapshot = ItemSnapshot()
    var configuration = ItemConfiguration()
    weak var player: PlayerCore?
    /// Set while it belongs to a player.
    var id: ItemID?
    var hasBeenAttached = false
    /// Made while there was no player.
    var startSeek: SeekCommand?
    /// Its time when it left its player.
    var restingTime = CMTime.zero
    var outputs: [VideoFrameOutput] = []
    var subtitleOutputs: [SubtitleOutput] = []
    var accessLog: [AccessLogRecord] = []
    var errorLog: [ErrorLogRecord] = []
    var attachedAt = HostTime.zero
    var readyAt = HostTime.zero
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

  package var snapshot: ItemSnapshot { state.withLock { $0.snapshot } }

  /// What its player calls it; nil while it is no player's.
  package var id: ItemID? { state.withLock { $0.id } }

  /// The player whose queue it is in.
  package var player: PlayerCore? { state.withLock { $0.player } }

  package var configuration: ItemConfiguration { state.withLock { $0.configuration } }

  /// The last thousand periods of playing, the oldest first; the last one's figures are those of this moment.
  package var accessLog: [AccessLogRecord] {
    let (place, from) = state.withLock { (Self.place($0), $0.watchedFrom) }
    guard let (player, id) = place else { return state.withLock { $0.accessLog } }
    count(player.driver.counters(of: id))
    let time = player.currentTime(of: id)
    return state.withLock { state in
      var log = state.accessLog
      // If it stopped or jumped meanwhile, the time read here may lie elsewhere, and the record knows better.
      if state.watchedFrom == from, let last = log.indices.last { log[last].durationWatched += state.watched(at: time) }
      return log
    }
  }
  /// The last thousand errors, the oldest first.
  package var errorLog: [ErrorLogRecord] { state.withLock { $0.errorLog } }

  package var outputs: [VideoFrameOutput] { state.withLock { $0.outputs } }
  package var subtitleOutputs: [SubtitleOutput] { state.withLock { $0.subtitleOutputs } }

  /// What is heard and shown now; zero before the item is ready; where it was, after it has left its player.
  package func currentTime() -> CMTime {
    let (place, resting) = state.withLock { (Self.place($0), $0.restingTime) }
    guard let (player, id) = place else { return resting }
    return player.currentTime(of: id)
  }

  /// Without a player it sets where the item begins, the last one wins, and the answer is true at once: the caller may
  /// wait for it before it makes a player.
  /// The completion comes exactly once: false at once when the seek is superseded, cancelled or impossible.
  package func seek(
    to target: CMTime, toleranceBefore: CMTime = .positiveInfinity, toleranceAfter: CMTime = .positiveInfinity,
    completion: SeekCompletion? = nil
  ) {
    let command = SeekCommand(target: target, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter)
    enum Way { case player(PlayerCore, ItemID), answered(Bool) }
    let way: Way = state.withLock { state in
      if let (player, id) = Self.place(state) { return .player(player, id) }
      guard state.snapshot.status != .failed, let place = PlaybackStateMachine.numericTarget(target) else {
        return .answered(false)
      }
      state.startSeek = command
      if state.hasBeenAttached, place.isNumeric { state.restingTime = place }
      return .answered(true)
    }
    switch way {
    case .player(let player, let id): player.seek(item: id, command, completion)
    case .answered(let isKept): completion?(isKept)
    }
  }

  /// What a seek without a player has set stays.
  package func cancelPendingSeeks() {
    if let (player, id) = state.withLock({ Self.place($0) }) { player.process(.cancelSeeks(id)) }
  }

  /// Moves by frames of the video track, back when negative. Has no effect while the rate is not zero.
  package func step(byCount count: Int) {
    if let (player, id) = state.withLock({ Self.place($0) }) { player.process(.step(id, count)) }
  }

  package func setEnabled(_ enabled: Bool, track id: Int32) { change(.enable(track: id, enabled)) }
  package func select(track id: Int32?, kind: TrackKind) { change(.select(track: id, kind)) }
  package func setPitch(_ algorithm: PitchAlgorithm) { change(.pitch(algorithm)) }
  package func setMix(_ tracks: [Int32: TrackMix]) { change(.mix(tracks)) }
  package func setSecondarySubtitle(track id: Int32?) { change(.secondarySubtitle(id)) }
  /// A delay that is not numeric counts as none.
  package func setSubtitleDelay(_ delay: CMTime) { change(.subtitleDelay(delay.isNumeric ? delay : .zero)) }
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
      if let id = state.id { output.join(id) }
      return Self.place(state)
    }
    if let (player, id) = place { player.addOutput(output, to: id) }
  }

  /// When it returns, the output has none of the item's frames, and gets no more.
  package func removeOutput(_ output: VideoFrameOutput) {
    let (place, tell) = state.withLock { state -> ((PlayerCore, ItemID)?, (@Sendable () -> Void)?) in
      state.outputs.removeAll { $0 === output }
      return (Self.place(state), state.id.flatMap { output.leave($0) })
    }
    tell?()
    if let (player, id) = place { player.removeOutput(output, from: id) }
  }

  /// An output added twice counts once.
  package func addOutput(_ output: SubtitleOutput) {
    let place = state.withLock { state -> (PlayerCore, ItemID)? in
      guard !state.subtitleOutputs.contains(where: { $0 === output }) else { return nil }
      state.subtitleOutputs.append(output)
      if let id = state.id { output.join(id) }
      return Self.place(state)
    }
    if let (player, id) = place { player.addOutput(output, to: id) }
  }

  /// When it returns, what the output showed of the item is taken away, and nothing more comes.
  package func removeOutput(_ output: SubtitleOutput) {
    let (place, tell) = state.withLock { state -> ((PlayerCore, ItemID)?, (@Sendable () -> Void)?) in
      state.subtitleOutputs.removeAll { $0 === output }
      return (Self.place(state), state.id.flatMap { output.leave($0) })
    }
    tell?()
    if let (player, id) = place { player.removeOutput(output, from: id) }
  }

  /// Gives another item that has no player yet the same settings and choices; neither outputs nor position are copied.
  package func copyConfiguration(to copy: ItemCore) {
    let (configuration, old) = state.withLock { ($0.configuration, $0.snapshot) }
    copy.state.withLock { state in
      state.configuration = configuration
      state.snapshot.forwardEndTime = old.forwardEndTime
      state.snapshot.reverseEndTime = old.reverseEndTime
      state.snapshot.preferredForwardBufferDuration = old.preferredForwardBufferDuration
      state.snapshot.selectedTracks = configuration.selectedTracks
    }
  }

  private static func place(_ state: State) -> (PlayerCore, ItemID)? {
    guard let player = state.player, let id = state.id else { return nil }
    return (player, id)
  }
}
