import CFFmpeg
import MediaEngine

/// Counts samples on from frame to frame: containers with coarse ticks (Matroska's milliseconds) would otherwise make
/// the sound's line jitter.
struct SampleLine {
  private let timeBase: AVRational
  private let origin: Int64
  private var next: Int64?
  private var rate = 0
  /// Raw streams have no times: libavformat makes them up by the first header's rate, wrong once the rate changes.
  private let hasTimes: Bool

  init(timeBase: AVRational, origin: Int64) {
    self.timeBase = timeBase
    self.origin = origin
    hasTimes = !timeBase.isOfRawSound
  }

  /// The first sample of a frame, in samples of item time.
  mutating func place(_ timestamp: Int64, count: Int, rate: Int) -> Int64 {
    let sample = AVRational(num: 1, den: Int32(clamping: max(rate, 1)))
    if rate != self.rate, let old = next, self.rate > 0 {
      next = rescale(old, AVRational(num: 1, den: Int32(clamping: self.rate)), sample)
    }
    self.rate = rate
    var start = next ?? 0
    if let timestamp = known(timestamp), let stated = rescale(timestamp &- origin, timeBase, sample),
      MediaPacket.ticks.contains(stated)
    {
      // Within two ticks of what the count says, the count is right.
      let tick = rescale(2, timeBase, sample, rounding: AV_ROUND_UP) ?? 0
      let tolerance = max(tick, 2)
      let expected = next ?? 0
      let isCounted = next != nil && !hasTimes
      start = isCounted || (stated &- expected).magnitude <= tolerance ? expected : stated
    }
    next = start &+ Int64(count)
    return start
  }
}

extension AVRational {
  /// The time bases that libavformat gives to sound without a container: multiples of all sample rates.
  var isOfRawSound: Bool { num == 1 && (den == 28_224_000 || den == 14_112_000) }
}
