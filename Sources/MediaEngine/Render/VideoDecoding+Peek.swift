internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// A seek that may land on a key frame needs this one packet: the decoder is drained right behind it, instead of being
/// fed those that follow until the picture comes out of its reordering and its threads. It begins again at the same
/// packet when more is wanted: for playing, for a step, or when nothing else has come for a while.
extension VideoDecoding {
  /// What a drained decoder goes on from.
  struct Peek: Sendable {
    let packet: MediaPacket
    /// Frames up to this time are known already.
    let shownUntil: Int64
    /// Time enough has passed without another seek.
    var mayGoOn = false
    let ticket: Ticket
  }

  /// Someone who scrubs seeks again sooner than that.
  private static let restAfterPeek = Nanoseconds.milliseconds(150)

  /// Whether a packet is the key frame of a landing that has room for it, while nobody plays.
  func peeks(at packet: MediaPacket) -> Bool {
    state.withLock { state in
      defer { state.mayPeek = false }
      guard state.mayPeek, packet.isKeyframe, let start = packet.presentationTime else { return false }
      guard !state.isRunning, !state.outputs.contains(where: \.takesEveryFrame) else { return false }
      return state.landing?.takesFirst(at: track.timeBase.time(start)) ?? false
    }
  }

  /// Drains the decoder behind a packet. False when its frame did not land: the packet must be sent again.
  func peek(at packet: MediaPacket, _ decoder: any VideoDecoder, _ step: Step) throws(MediaError) -> Bool {
    state.withLock { $0.peeking = packet }
    try send(packet, to: decoder, step)
    decoder.finish()
    while state.withLock({ $0.peek == nil && $0.run == step.run }), case .output(let frame) = try receive(decoder) {
      guard accept(frame, step) else { break }
    }
    let peek = state.withLock { state -> Peek? in
      state.peeking = nil
      return state.peek
    }
    guard let peek else {
      decoder.flush(step.generation)
      return state.withLock { $0.run != step.run }
    }
    queue.post("decode on", after: Self.restAfterPeek, ticket: peek.ticket) { [weak self] in
      guard let self, state.withLock({ $0.expirePeek(step.run) }) else { return }
      kick()
    }
    return true
  }

  /// Feeds a drained decoder its packet again when there is a reason to go on. On its queue.
  func goOnAfterPeek(_ decoder: any VideoDecoder, _ step: Step) throws(MediaError) {
    let peek = state.withLock { state -> Peek? in
      guard let peek = state.peek, state.wantsMoreThanPeek else { return nil }
      state.endPeek()
      state.shownUntil = peek.shownUntil
      return peek
    }
    guard let peek else { return }
    decoder.flush(step.generation)
    try send(peek.packet, to: decoder, step)
  }
}

extension VideoDecoding.State {
  /// A landing that goes on from the frame shown, playing, or time to spare.
  var wantsMoreThanPeek: Bool {
    guard let peek else { return true }
    return peek.mayGoOn || isRunning || landing != nil
  }

  /// The frame of the packet behind which the decoder was drained has landed.
  mutating func beginPeek(_ frame: VideoFrame) {
    guard let packet = peeking else { return }
    peek = VideoDecoding.Peek(packet: packet, shownUntil: frame.presentationTime, ticket: Ticket())
  }

  mutating func endPeek() {
    peek?.ticket.cancel()
    peek = nil
    peeking = nil
    shownUntil = nil
  }

  /// False when the decoder has gone on or elsewhere meanwhile.
  mutating func expirePeek(_ run: UInt64) -> Bool {
    guard self.run == run, peek != nil else { return false }
    peek?.mayGoOn = true
    return true
  }

  /// Whether a frame was shown already before the decoder began again.
  mutating func isKnown(_ frame: VideoFrame) -> Bool {
    guard let until = shownUntil else { return false }
    if frame.presentationTime <= until { return true }
    shownUntil = nil
    return false
  }
}
