internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// At high speeds only key frames are decoded, each by itself: thirty a second at most, however many there are.
extension VideoDecoding {
  /// Up to this speed every frame is wanted.
  static let everyFrameUpTo = 4.0
  private static let picturesPerSecond = 30.0
  /// Seconds of wall time for which packets ahead of the clock are looked at. Other tracks hold what is read meanwhile.
  private static let lookAhead = 0.5

  /// Where skimming stands since it began.
  struct Skim: Sendable {
    /// The next key frame to be shown begins here or later.
    var next = Int64.min
  }

  /// A change of speed. True when frames were passed over and are wanted now: the picture must land anew.
  func setRate(_ rate: Double) -> Bool {
    state.withLock { state in
      state.rate = rate
      return state.skim != nil && !state.isSkimming
    }
  }

  /// Whether the decoder does not stand where its buffer does, because frames were passed over.
  var hasSkimmed: Bool { state.withLock { $0.skim != nil } }

  /// Whether packets enough are passed over for now; then it goes on by itself when time has come nearer.
  func isFarAhead() -> Bool {
    let (isSkimming, end, rate) = state.withLock { ($0.isSkimming, $0.lastEnd, $0.rate) }
    guard isSkimming, let end else { return false }
    let ahead = (end - timeline.time(of: item)).seconds / rate
    guard ahead > Self.lookAhead else { return false }
    let ticket = Ticket()
    state.withLock { state in
      state.lookTicket?.cancel()
      state.lookTicket = ticket
    }
    queue.post("look for key frames", after: .seconds(min(ahead - Self.lookAhead, 1) + 0.01), ticket: ticket) {
      [weak self] in self?.kick()
    }
    return true
  }

  /// Key frames that are over already are passed over for the last of them. On its queue.
  func skipWhatIsOver() {
    guard state.withLock({ $0.isSkimming }), let now = track.timeBase.floorTicks(timeline.time(of: item)) else {
      return
    }
    _ = buffer.leap(whenBehind: now, now: now, horizon: now)
  }

  /// Decodes a packet if it is the next key frame that is wanted; passes it over otherwise. True when it took time.
  func skim(_ packet: MediaPacket, _ decoder: any VideoDecoder, _ step: Step) throws(MediaError) -> Bool {
    let end = packet.endTicks.map { track.timeBase.time($0) }
    let isWanted = state.withLock { state in
      let next = state.skim?.next ?? .min
      if state.skim == nil { state.skim = Skim() }
      if let end { state.lastEnd = max(state.lastEnd ?? end, end) }
      guard packet.isKeyframe, let start = packet.presentationTime, start >= next else { return false }
      state.skim?.next = start &+ Int64(state.rate / Self.picturesPerSecond / track.timeBase.secondsPerTick)
      return true
    }
    guard isWanted else { return false }
    decoder.flush(step.generation)
    try send(packet, to: decoder, step)
    decoder.finish()
    while case .output(let frame) = try receive(decoder), accept(frame, step) {}
    decoder.flush(step.generation)
    return true
  }
}

extension VideoDecoding.State {
  var isSkimming: Bool {
    isRunning && rate > VideoDecoding.everyFrameUpTo && landing == nil && flush == nil
      && !outputs.contains(where: \.takesEveryFrame)
  }
}
