package import CoreMedia
package import MediaIO
internal import MediaRuntime

/// One track's packets between the source loop and its decoder; bounded by the policy's goals.
///
/// Neither side polls: the reader of an empty buffer is called back by the next packet, the source by the buffer
/// running low.
package final class PacketBuffer: Sendable {
  package let track: MediaTrack
  private let state: Lock<State>

  fileprivate struct State {
    var store: PacketStore
    var goals: BufferPolicy.Goals
    var generation = Generation(0)
    var hasEnded = false
    var consumerWaits = false
    var sourceIdles = false
    /// The source reads on when a decoder finds nothing, and not before.
    var sourceAwaitsDemand = false
    var isPassive = false
    /// The item's time in ticks, asked to keep a passive buffer at the current group.
    var passiveTime: (@Sendable () -> Int64?)?
    var onPackets: (@Sendable () -> Void)?
    var onLow: (@Sendable () -> Void)?
  }

  package enum Taken: Sendable {
    case packet(MediaPacket)
    /// Nothing now; `onPackets` is called when there is.
    case wait
    case end
  }

  package init(track: MediaTrack, goals: BufferPolicy.Goals) {
    self.track = track
    state = Lock(State(store: PacketStore(backLimit: goals.backBytes), goals: goals))
  }

  /// What to call when packets come after `.wait`: outside locks, in the source's step.
  package func setConsumer(_ onPackets: (@Sendable () -> Void)?) {
    state.withLock { $0.onPackets = onPackets }
  }

  /// What to call when the buffer runs low while the source rests: outside locks, in the decoder's step.
  package func setSource(_ onLow: (@Sendable () -> Void)?) {
    state.withLock { $0.onLow = onLow }
  }

  // MARK: The decoder's side

  /// The next packet of a generation. Older ones are dropped, newer ones wait for a caller who knows of them.
  package func take(_ generation: Generation) -> Taken {
    let (taken, wake) = state.withLock { state -> (Taken, (@Sendable () -> Void)?) in
      var packet: MediaPacket?
      while let next = state.store.next {
        if next.generation > generation { return (.wait, nil) }
        packet = state.store.take()
        if next.generation == generation { break }
        packet = nil
      }
      var wake: (@Sendable () -> Void)?
      if state.sourceIdles, state.isLow, packet != nil || !state.hasEnded {
        state.sourceIdles = false
        wake = state.onLow
      }
      if let packet { return (.packet(packet), wake) }
      if state.hasEnded { return (.end, nil) }
      state.consumerWaits = true
      if state.sourceIdles || state.sourceAwaitsDemand {
        state.sourceIdles = false
        state.sourceAwaitsDemand = false
        wake = state.onLow
      }
      return (.wait, wake)
    }
    wake?()
    return taken
  }

  /// Whether a packet near the reading place is presented after one time and not after another.
  package func hasPresentation(after ticks: Int64, notAfter limit: Int64) -> Bool {
    state.withLock { $0.store.hasPresentation(after: ticks, notAfter: limit) }
  }

  /// Whether no packet that follows the last one taken is presented before a time: a closed group begins there.
  package func followsInOrder(_ ticks: Int64) -> Bool {
    state.withLock { $0.store.followsInOrder(ticks) }
  }

  /// The time presented `count` frames before one, as far back as packets are held.
  package func presentation(_ count: Int, before ticks: Int64) -> Int64? {
    state.withLock { $0.store.presentation(count, before: ticks) }
  }

  /// When the next frame after one of this time is presented, as far as the packets tell.
  package func nextPresentation(after ticks: Int64) -> (ticks: Int64?, isCertain: Bool) {
    state.withLock { $0.store.nextPresentation(after: ticks, hasEnded: $0.hasEnded) }
  }

  /// The place to decode a time from, when it is held.
  package func place(for time: CMTime) -> PacketStore.Place? {
    guard let ticks = track.timeBase.floorTicks(time) else { return nil }
    return state.withLock { $0.store.keyframe(atOrBefore: ticks, hasEnded: $0.hasEnded) }
  }

  /// Whether decoding on is the way to a time that is not held yet.
  package func isReachedByReadingOn(_ time: CMTime) -> Bool {
    guard let ticks = track.timeBase.floorTicks(time) else { return false }
    let reach = Int64(0.5 / track.timeBase.secondsPerTick)
    return state.withLock { !$0.hasEnded && $0.store.isReachedByReadingOn(ticks, reach: reach) }
  }

  /// False when the place is held no more. For the decoder's queue only.
  package func move(to place: PacketStore.Place) -> Bool {
    state.withLock { $0.store.move(to: place) }
  }

  /// Moves to a key frame ahead if the next packet lies before `late`: see `PacketStore.leap`. For the decoder's queue.
  /// - Returns: how many packets are passed over; nil when it stays.
  package func leap(whenBehind late: Int64, now: Int64, horizon: Int64) -> Int? {
    state.withLock { state in
      guard let place = state.store.leap(whenBehind: late, now: now, horizon: horizon) else { return nil }
      let before = state.store.aheadCount
      return state.store.move(to: place) ? before - state.store.aheadCount : nil
    }
  }

  /// The place to decode sound from for a time: far enough before it for a new decoder to find its feet, as far as held.
  package func soundPlace(for time: CMTime, preroll: CMTime) -> PacketStore.Place? {
    guard let range = loadedRange else { return nil }
    let begins = range.start <= time || range.start <= track.timeRange.start
    guard begins, time < range.start + range.duration || hasEnded else { return nil }
    return place(for: CMTimeMaximum(range.start, time - preroll))
  }

  /// Whether the sound that a decoder needs to find its feet before a time is held, or there is none.
  package func holdsSound(before time: CMTime, _ preroll: CMTime) -> Bool {
    guard let range = loadedRange else { return false }
    return range.start <= time - preroll || range.start <= track.timeRange.start
  }

  // MARK: The source's side

  package func append(_ packet: MediaPacket) {
    let (wake, time) = state.withLock { state -> ((@Sendable () -> Void)?, (@Sendable () -> Int64?)?) in
      guard packet.generation >= state.generation else { return (nil, nil) }
      state.store.append(packet)
      return (state.takeConsumer(), packet.isKeyframe ? state.passiveTime : nil)
    }
    wake?()
    guard let ticks = time?() else { return }
    state.withLock { state in
      guard state.isPassive, let place = state.store.keyframe(atOrBefore: ticks, hasEnded: false), place.isAhead else {
        return
      }
      _ = state.store.move(to: place)
    }
  }

  /// Nobody decodes the track now: it is held around the item's time so that decoding can begin at once.
  /// - Parameter time: the item's time in ticks; nil ends this.
  package func setPassive(_ time: (@Sendable () -> Int64?)?) {
    state.withLock { state in
      state.isPassive = time != nil
      state.passiveTime = time
      state.consumerWaits = false
    }
  }

  /// No packet of a generation follows.
  package func end(_ generation: Generation) {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      guard generation >= state.generation else { return nil }
      state.hasEnded = true
      return state.takeConsumer()
    }
    wake?()
  }

  /// Empties the buffer for packets of a generation; what older reads still bring is left out.
  package func restart(_ generation: Generation) {
    state.withLock {
      $0.generation = generation
      $0.store.removeAll()
      $0.hasEnded = false
      $0.sourceIdles = false
      $0.sourceAwaitsDemand = false
    }
  }

  package func setGoals(_ goals: BufferPolicy.Goals) {
    state.withLock {
      $0.goals = goals
      $0.store.backLimit = goals.backBytes
    }
  }

  /// The source stops reading unless the buffer is low; true when it may stop. Then `onLow` is called in time.
  package func sourceMayIdle() -> Bool {
    state.withLock { state in
      state.sourceIdles = state.hasEnded || state.isPassive || !(state.isLow && state.isNeedy(track))
      return state.sourceIdles
    }
  }

  /// The source stops reading until a decoder finds nothing here; false when one waits already. Then `onLow` is called.
  package func sourceMayAwaitDemand() -> Bool {
    state.withLock { state in
      state.sourceAwaitsDemand = !state.consumerWaits
      return state.sourceAwaitsDemand
    }
  }

  // MARK: Anybody

  package var level: Level {
    state.withLock { state in
      Level(
        aheadSeconds: state.aheadSeconds, heldBytes: state.store.heldBytes, aheadBytes: state.store.aheadBytes,
        aheadCount: state.store.aheadCount, hasEnded: state.hasEnded, isNeedy: state.isNeedy(track),
        isPassive: state.isPassive)
    }
  }

  package struct Level: Hashable, Sendable {
    package var aheadSeconds: Double
    package var heldBytes: Int
    package var aheadBytes: Int
    package var aheadCount: Int
    /// Nothing follows what is held.
    package var hasEnded: Bool
    /// Somebody waits for a packet, or the track's own length says that some must come.
    package var isNeedy = true
    /// Held for a decoder that may come later: never a reason to read on.
    package var isPassive = false

    package init(
      aheadSeconds: Double, heldBytes: Int, aheadBytes: Int, aheadCount: Int, hasEnded: Bool, isNeedy: Bool = true,
      isPassive: Bool = false
    ) {
      self.aheadSeconds = aheadSeconds
      self.heldBytes = heldBytes
      self.aheadBytes = aheadBytes
      self.aheadCount = aheadCount
      self.hasEnded = hasEnded
      self.isNeedy = isNeedy
      self.isPassive = isPassive
    }
  }

  /// The times held, in item time.
  package var loadedRange: CMTimeRange? {
    let ticks = state.withLock { $0.store.heldTicks }
    guard let ticks else { return nil }
    return CMTimeRange(start: track.timeBase.time(ticks.lowerBound), end: track.timeBase.time(ticks.upperBound))
  }

  /// Decoding time of the newest packet.
  package var lastDecodeTime: Int64? { state.withLock { $0.store.lastDecodeTime } }

  package var hasEnded: Bool { state.withLock { $0.hasEnded } }
}

extension PacketBuffer.State {
  fileprivate var aheadSeconds: Double { Double(store.aheadTicks) * secondsPerTick }
  fileprivate var isLow: Bool { aheadSeconds < goals.lowSeconds && store.aheadBytes < goals.softBytes }
  fileprivate var secondsPerTick: Double { goals.secondsPerTick }

  /// False when nothing is owed: the end, or all that the track's own length promises is held and nobody waits.
  fileprivate func isNeedy(_ track: MediaTrack) -> Bool {
    if hasEnded || isPassive { return false }
    if consumerWaits { return true }
    guard let end = store.end, track.timeRange.duration.isNumeric, track.timeRange.duration > .zero else { return true }
    let missing = (track.timeRange.start + track.timeRange.duration).seconds - Double(end) * secondsPerTick
    return missing > 0.001
  }

  fileprivate mutating func takeConsumer() -> (@Sendable () -> Void)? {
    guard consumerWaits else { return nil }
    consumerWaits = false
    return onPackets
  }
}

extension TimeBase {
  package var secondsPerTick: Double { Double(numerator) / Double(denominator) }

  /// The last tick at or before a time; nil for times that are not numeric or do not fit.
  package func floorTicks(_ time: CMTime) -> Int64? {
    guard let ticks = ticks(time) else { return nil }
    return self.time(ticks) > time ? ticks - 1 : ticks
  }
}
