internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// What a decoder that can't keep up leaves out, in this order: frames that came too late (`present`), frames that
/// nothing depends on (`maySkip`), and at last the rest of a group of pictures.
extension VideoDecoding {
  /// Seconds by which the next packet may lie behind the clock before the packets up to a key frame are given up.
  private static let hopelessAfter = 0.5
  /// Seconds for which the picture may stand still for a key frame that is not due yet.
  private static let longestFreeze = 2.0

  /// Goes on at a key frame ahead when the decoder would not catch up with the clock by decoding. On its queue.
  func leapIfHopeless(_ decoder: any VideoDecoder, _ generation: Generation) {
    let mayLeap = state.withLock { state in
      state.isRunning && !state.isSkimming && state.landing == nil && state.flush == nil && !state.isFinishing
        && !state.outputs.contains(where: \.takesEveryFrame)
    }
    guard mayLeap, let now = track.timeBase.floorTicks(timeline.time(of: item)) else { return }
    let secondsPerTick = track.timeBase.secondsPerTick
    let late = now &- Int64(Self.hopelessAfter / secondsPerTick)
    let horizon = now &+ Int64(Self.longestFreeze / secondsPerTick)
    guard let passed = buffer.leap(whenBehind: late, now: now, horizon: horizon) else { return }
    Log.engine.debug("Decoding is too slow: \(passed) pictures are left out")
    decoder.flush(generation)
    let leftOut = state.withLock { state in
      state.lastTime = nil
      defer { state.leftOut = [] }
      return state.leftOut.count
    }
    meter.drop(passed + leftOut)
  }
}

extension VideoDecoding.State {
  /// A packet of a frame that nothing depends on went in late: the decoder may leave its frame out.
  mutating func noteLeftOut(_ packet: MediaPacket) {
    guard landing == nil, let time = packet.presentationTime else { return }
    leftOut.append(time)
  }

  /// A frame came out: how many of those before it were left out.
  mutating func takeLeftOut(before frame: VideoFrame) -> Int {
    guard !leftOut.isEmpty else { return 0 }
    defer { leftOut.removeAll { $0 <= frame.presentationTime } }
    return leftOut.count { $0 < frame.presentationTime }
  }
}
