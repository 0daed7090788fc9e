internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

extension VideoDecoding {
  /// What the decoding queue, the control queue and readers share.
  struct State {
    var decoder: (any VideoDecoder)?
    var lease: DecoderThreadBudget.Lease?
    var epoch: UInt64 = 0
    /// Counts the flushes asked for: what the decoder gives from before one is void. A landing that goes on where the
    /// decoder is raises the epoch alone, for the frame being decoded right then may be its own.
    var run: UInt64 = 0
    var generation = Generation.first
    var flush: Begin?
    var landing: FrameLanding?
    var target: CMTime?
    /// Ascending; not yet due.
    var frames: [VideoFrame] = []
    var shown: VideoFrame?
    var lastEnd: CMTime?
    var lastTime: CMTime?
    /// From one frame to the next, of the last two in a row.
    var spacing: CMTime?
    var isLastLengthKnown = true
    var outputs: [VideoFrameOutput] = []
    var isPosted = false
    var isRunning = false
    var rate = 1.0
    /// Set once packets were passed over for the speed, up to the next flush.
    var skim: Skim?
    var lookTicket: Ticket?
    var waitsForSpace = false
    var someoneAwaitsFrame = false
    var isDrained = false
    var isFinishing = false
    var isClosed = false
    var failuresInARow = 0
    /// Frames that came too late to be shown, since the last seek.
    var lateFrames = 0
    var needsThreads = false
    /// Times of packets whose frames may have been left out; told when a later frame comes.
    var leftOut: [Int64] = []
    /// The next packet is the first since a flush.
    var mayPeek = false
    var peeking: MediaPacket?
    var peek: Peek?
    /// After a peek: frames up to this time come a second time.
    var shownUntil: Int64?
  }
}

extension VideoDecoding.State {
  mutating func note(_ frame: VideoFrame, _ track: MediaTrack) {
    if let lastTime, lastTime < frame.time { spacing = frame.time - lastTime }
    lastTime = frame.time
    var duration = frame.timeBase.time(max(frame.duration, 0))
    isLastLengthKnown = true
    if frame.duration <= 0 {
      if let rate = track.video?.nominalFrameRate, rate > 0 {
        duration = CMTime(seconds: 1 / rate, preferredTimescale: 90_000)
      } else {
        duration = spacing ?? .zero
        isLastLengthKnown = spacing != nil
      }
    }
    lastEnd = frame.time + duration
  }

  /// A single frame of unknown length is shown for as long as the container says that the track lasts.
  mutating func endLastFrame(_ track: MediaTrack) {
    guard !isLastLengthKnown, let end = lastEnd, track.timeRange.end.isNumeric else { return }
    lastEnd = max(end, track.timeRange.end)
  }

  mutating func landed(on frame: VideoFrame?) {
    landing = nil
    shown = frame
    frames.removeAll()
  }

  /// Looks among the frames decoded already; what lies before the target goes.
  mutating func landAmongDecoded(_ goal: FrameLanding.Goal) -> VideoFrame? {
    switch goal {
    case .steps(let count):
      if count >= 1, count <= frames.count {
        let frame = frames[count - 1]
        let rest = Array(frames.dropFirst(count))
        landed(on: frame)
        frames = rest
        return frame
      }
      if isDrained {
        let frame = frames.last ?? shown
        landed(on: frame)
        return frame
      }
      landing = FrameLanding(.steps(count - frames.count))
      if let last = frames.last { shown = last }
      frames.removeAll()
      return nil
    case .time(let target):
      let known = (shown.map { [$0] } ?? []) + frames
      guard let index = known.lastIndex(where: { $0.time <= target }) else { return nil }
      let frame = known[index]
      let rest = Array(known.dropFirst(index + 1))
      if !rest.isEmpty || isDrained {
        landed(on: frame)
        frames = rest
        return frame
      }
      frames.removeAll()
      landing = FrameLanding(goal, candidate: frame)
      return nil
    }
  }
}
