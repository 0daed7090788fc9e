import CFFmpeg

/// Gives decode times to packets that have none, as FFmpeg's own tool does: counted on by the frame rate.
struct DecodeTimes {
  private var next: Int64?
  private let timeBase: AVRational

  init(_ timeBase: AVRational) { self.timeBase = timeBase }

  /// The time of a packet, in microseconds of the stream, and what it leaves for the next one.
  mutating func time(of packet: AVPacket, in context: AVCodecContext, frameRate: AVRational) -> Int64? {
    if next == nil {
      let delay = Double(context.has_b_frames) * Double(AV_TIME_BASE)
      next = frameRate.isPositive ? -Int64(delay / frameRate.double) : 0
    }
    if let given = known(packet.dts), let time = rescale(given, timeBase, .microseconds) { next = time }
    let time = next
    let duration: Int64
    if packet.duration > 0 {
      duration = rescale(packet.duration, timeBase, .microseconds) ?? 0
    } else if context.framerate.isPositive {
      duration = Int64(AV_TIME_BASE) * Int64(context.framerate.den) / Int64(context.framerate.num)
    } else {
      duration = 0
    }
    next = time.map { $0 &+ duration }
    return time
  }

  mutating func reset() { next = nil }
}
