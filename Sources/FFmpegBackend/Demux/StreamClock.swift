import CFFmpeg
import CoreMedia
import MediaEngine

/// Turns a stream's timestamps into item time, whose zero is the start of the presentation.
struct StreamClock: Sendable {
  let timeBase: AVRational
  /// The stream's timestamp at item time 0, in its own ticks.
  let origin: Int64
  /// The rate of sound before whose item time 0 there is priming that libavformat leaves in; 0 elsewhere.
  var primedRate: Int32 = 0

  func itemTicks(_ timestamp: Int64) -> Int64? { known(timestamp).map { $0 &- origin } }
}

/// Where item time begins in a container.
struct TimeOrigin: Sendable {
  var ticks: Int64
  var timeBase: AVRational

  static let zero = TimeOrigin(ticks: 0, timeBase: AVRational(num: 1, den: 1))

  /// Movies and Matroska count from the start of their presentation; other containers from their first timestamp.
  init(of context: UnsafeMutablePointer<AVFormatContext>) {
    self = .zero
    let name = String(c: context.pointee.iformat?.pointee.name) ?? ""
    if name.hasPrefix("mov,") || name.hasPrefix("matroska") { return }
    var isFound = false
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = context.pointee.streams[index]?.pointee, let start = known(stream.start_time),
        stream.time_base.isPositive, let kind = stream.codecpar?.pointee.codec_type,
        kind == AVMEDIA_TYPE_VIDEO || kind == AVMEDIA_TYPE_AUDIO,
        stream.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
      else { continue }
      if !isFound || av_compare_ts(start, stream.time_base, ticks, timeBase) < 0 {
        self = TimeOrigin(ticks: start, timeBase: stream.time_base)
        isFound = true
      }
    }
  }

  private init(ticks: Int64, timeBase: AVRational) {
    self.ticks = ticks
    self.timeBase = timeBase
  }

  /// - Parameter lead: ticks before the sound's start that do not count, and that timestamps know nothing of.
  func clock(of stream: AVStream, lead: Int64 = 0) -> StreamClock {
    let base = stream.time_base.isPositive ? stream.time_base : AVRational(num: 1, den: 1)
    return StreamClock(timeBase: base, origin: (rescale(ticks, timeBase, base) ?? 0) &+ lead)
  }
}
