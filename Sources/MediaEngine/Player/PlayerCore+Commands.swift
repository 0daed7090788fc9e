package import CoreMedia
package import Dispatch
package import MediaRuntime

extension PlayerCore {
  // MARK: Rate

  /// 0 pauses; another rate is a wish that playing follows as soon as it can. An impossible one leaves it as it is.
  package func setRate(_ rate: Float) { process(.setRate(rate)) }
  /// Starts at the default rate, also when another one is running.
  package func play() { process(.play) }
  package func pause() { process(.setRate(0)) }
  /// Plays what is there without waiting for the buffer to fill.
  package func playImmediately(atRate rate: Float) { process(.playImmediately(rate)) }
  package func setDefaultRate(_ rate: Float) { process(.setDefaultRate(rate)) }

  /// Needs `automaticallyWaits == false`; the caller has checked it.
  /// - Parameters:
  ///   - time: the item time to be at `hostTime`; one that is not numeric keeps the present time.
  ///   - hostTime: nil means soon, as the media allows.
  package func setRate(_ rate: Float, time: CMTime, atHostTime hostTime: HostTime?) {
    process(.setSynchronizedRate(rate, time: time, hostTime: hostTime))
  }

  package func setAutomaticallyWaits(_ waits: Bool) { process(.setAutomaticallyWaits(waits)) }
  package func setActionAtItemEnd(_ action: ActionAtItemEnd) { process(.setActionAtItemEnd(action)) }
  /// Clamped to 0…1.
  package func setVolume(_ volume: Float) { process(.setVolume(volume)) }
  package func setMuted(_ muted: Bool) { process(.setMuted(muted)) }

  /// The sound server's name of the device that plays; nil is the default one.
  package func setAudioDevice(_ name: String?) { driver.setAudioDevice(name) }

  // MARK: Queue

  /// Whether the item may join this queue: it has no player, or it is the current item already.
  package func canAttach(_ item: ItemCore) -> Bool {
    guard let player = item.player else { return true }
    return player === self && snapshot.currentItem === item
  }

  /// The current item again is no change; nil empties the queue.
  /// - Returns: false, and nothing has happened, when another player (or another place of this queue) has the item.
  @discardableResult
  package func replaceCurrentItem(_ item: ItemCore?) -> Bool {
    guard let item else {
      process(.replaceCurrent(nil))
      return true
    }
    if item.player === self { return snapshot.currentItem === item }
    return bring(item) { .replaceCurrent($0) }
  }

  /// - Parameter after: an item of the queue; nil appends.
  /// - Returns: false, and nothing has happened, when the item has a player already.
  @discardableResult
  package func insert(_ item: ItemCore, after: ItemCore?) -> Bool {
    let place = after.flatMap { id(of: $0) }
    return bring(item) { .insert($0, after: place) }
  }

  /// The current item's removal makes the next one current.
  package func remove(_ item: ItemCore) {
    if let id = id(of: item) { process(.remove(id)) }
  }

  package func removeAllItems() { process(.removeAll) }
  package func advanceToNextItem() { process(.advance) }

  private func bring(_ item: ItemCore, _ event: (ItemSeed) -> PlaybackStateMachine.Event) -> Bool {
    var isTaken = false
    let now = environment.scheduler.now
    process(thread: CallingThread.id) { state in
      let id = ItemID(state.nextNumber(), of: number)
      guard let seed = item.claim(by: self, as: id, at: now) else { return nil }
      isTaken = true
      state.cores[id] = item
      return event(seed)
    }
    return isTaken
  }

  private func id(of item: ItemCore) -> ItemID? {
    state.withLock { state in state.cores.first { $0.value === item }?.key }
  }

  // MARK: Seeking

  /// Without an item the answer is false, at once.
  package func seek(
    to target: CMTime, toleranceBefore: CMTime = .positiveInfinity, toleranceAfter: CMTime = .positiveInfinity,
    completion: ItemCore.SeekCompletion? = nil
  ) {
    let command = SeekCommand(target: target, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter)
    seek(item: nil, command, completion)
  }

  func seek(item: ItemID?, _ command: SeekCommand, _ completion: ItemCore.SeekCompletion?) {
    process(thread: CallingThread.id) { state in
      var command = command
      command.completion = Self.register(completion, in: &state)
      return .seek(item, command)
    }
  }

  /// Only at rate 0 with an item; the caller has checked that the player is ready.
  package func preroll(atRate rate: Float, completion: (@Sendable (Bool) -> Void)?) {
    process(thread: CallingThread.id) { state in .preroll(rate, Self.register(completion, in: &state)) }
  }

  package func cancelPendingPrerolls() { process(.cancelPrerolls) }

  private static func register(_ completion: (@Sendable (Bool) -> Void)?, in state: inout State) -> CompletionID? {
    guard let completion else { return nil }
    let id = CompletionID(state.nextNumber())
    state.completions[id] = completion
    return id
  }

  // MARK: Outputs

  func addOutput(_ output: VideoFrameOutput, to id: ItemID) {
    changeOutputs { $0.machine.isAttached(id) ? .add(output, id) : nil }
  }

  func removeOutput(_ output: VideoFrameOutput, from id: ItemID) {
    changeOutputs { $0.machine.isAttached(id) ? .remove(output, id) : nil }
  }

  func addOutput(_ output: SubtitleOutput, to id: ItemID) {
    changeOutputs { $0.machine.isAttached(id) ? .addSubtitles(output, id) : nil }
  }

  func removeOutput(_ output: SubtitleOutput, from id: ItemID) {
    changeOutputs { $0.machine.isAttached(id) ? .removeSubtitles(output, id) : nil }
  }

  private func changeOutputs(_ call: (State) -> DriverLane.Call?) {
    state.withLock { state in
      if let call = call(state) { state.driver.append(call) }
    }
    drainDriver()
  }

  // MARK: Observers

  /// Calls the block at each multiple of the interval in item time, at leaps, at start and stop.
  /// The observer ends with `removeObserver`, with its token, or with the player.
  /// - Parameters:
  ///   - interval: positive and numeric.
  ///   - queue: serial; nil is the main queue.
  package func addPeriodicObserver(
    interval: CMTime, queue: DispatchQueue?, block: @escaping @Sendable (CMTime) -> Void
  ) -> ObserverToken {
    observers.addPeriodic(interval, queue, block)
  }

  /// Calls the block when playing passes one of the times, in either direction; leaps don't count.
  package func addBoundaryObserver(
    times: [CMTime], queue: DispatchQueue?, block: @escaping @Sendable () -> Void
  ) -> ObserverToken {
    observers.addBoundary(times, queue, block)
  }

  /// The block is not called again, save by a call that is just being made on its queue. A token of another player has no effect here (see `owns`).
  package func removeObserver(_ token: ObserverToken) { observers.remove(token) }

  /// Whether the token was made by this player: Apple's raises when it was not.
  package func owns(_ token: ObserverToken) -> Bool { observers.owns(token) }
}
