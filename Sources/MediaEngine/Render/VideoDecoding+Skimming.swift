internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// At high speeds only key frames are decoded, each by itself: thirty a second at most, however many there are.
extension VideoDecoding {
  /// Up to this speed every frame is wanted.
  static let everyFrameUpTo = 4.0
  private static let picturesPerSecond = 30.0

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

  /// Key frames that are over already are passed over for the last of them. On its queue.
  func skipWhatIsOver() {
    guard state.withLock({ $0.isSkimming }), let now = track.timeBase.floorTicks(timeline.time(of: item)) else { return }
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
