package import CoreMedia

/// How loud a track is over its item's time: 1 before the first change, straight lines within ramps, and behind each
/// what it ended with, up to where the next one begins. Pure.
package struct VolumeCurve: Hashable, Sendable {
  /// A change of volume; one that takes no time has the same volume at both ends.
  package struct Ramp: Hashable, Sendable {
    package var start: CMTime
    package var end: CMTime
    package var startVolume: Float
    package var endVolume: Float

    package init(start: CMTime, end: CMTime, startVolume: Float, endVolume: Float) {
      self.start = start
      self.end = end
      self.startVolume = startVolume
      self.endVolume = endVolume
    }
  }

  /// In the order of their starts, none within another.
  package private(set) var ramps: [Ramp] = []

  package init() {}

  /// Whether it changes nothing.
  package var isUnity: Bool { ramps.allSatisfy { $0.startVolume == 1 && $0.endVolume == 1 } }

  /// The volume jumps at a time.
  package mutating func set(_ volume: Float, at time: CMTime) {
    add(Ramp(start: time, end: time, startVolume: volume, endVolume: volume))
  }

  /// What was set to begin within the ramp is void, and a ramp under way ends where this one starts.
  ///
  /// Does nothing when a time or a volume is no number, or the end lies before the start. Volumes below 0 count as 0.
  package mutating func add(_ ramp: Ramp) {
    guard ramp.start.isNumeric, ramp.end.isNumeric, ramp.end >= ramp.start, ramp.startVolume.isFinite,
      ramp.endVolume.isFinite
    else { return }
    var ramp = ramp
    ramp.startVolume = max(ramp.startVolume, 0)
    ramp.endVolume = max(ramp.endVolume, 0)
    ramps.removeAll { $0.start >= ramp.start && ($0.start < ramp.end || $0.start == ramp.start) }
    let place = ramps.firstIndex { $0.start > ramp.start } ?? ramps.count
    if place > 0, ramps[place - 1].end > ramp.start {
      ramps[place - 1].endVolume = volume(at: ramp.start.seconds)
      ramps[place - 1].end = ramp.start
    }
    ramps.insert(ramp, at: place)
  }

  /// The stretch that holds a time: a ramp, or the constant one behind it. Its end is infinite behind the last.
  package func ramp(at time: CMTime) -> Ramp? {
    guard time.isNumeric, let index = ramps.lastIndex(where: { $0.start <= time }) else { return nil }
    let ramp = ramps[index]
    if time < ramp.end { return ramp }
    let end = index + 1 < ramps.count ? ramps[index + 1].start : .positiveInfinity
    return Ramp(start: ramp.end, end: end, startVolume: ramp.endVolume, endVolume: ramp.endVolume)
  }

  /// - Parameter seconds: of the item's time.
  package func volume(at seconds: Double) -> Float { line(at: seconds).volume(at: seconds) }

  /// A stretch in seconds: a straight line, or a constant.
  private struct Line {
    var start = -Double.infinity
    var end = Double.infinity
    var first: Float = 1
    var last: Float = 1

    func volume(at seconds: Double) -> Float {
      if first == last { return first }
      let part = min(max((seconds - start) / (end - start), 0), 1)
      return first + (last - first) * Float(part)
    }
  }

  private func line(at seconds: Double) -> Line {
    guard let index = ramps.lastIndex(where: { $0.start.seconds <= seconds }) else {
      return Line(end: ramps.first?.start.seconds ?? .infinity)
    }
    let ramp = ramps[index]
    let (start, end) = (ramp.start.seconds, ramp.end.seconds)
    if seconds < end { return Line(start: start, end: end, first: ramp.startVolume, last: ramp.endVolume) }
    let next = index + 1 < ramps.count ? ramps[index + 1].start.seconds : .infinity
    return Line(start: end, end: next, first: ramp.endVolume, last: ramp.endVolume)
  }

  /// Multiplies the interleaved samples from an index on; the first of them sounds at `seconds`, each `step` seconds
  /// after the one before.
  func apply(to samples: inout [Float], from start: Int, channels: Int, at seconds: Double, step: Double) {
    guard !ramps.isEmpty, channels > 0, step > 0 else { return }
    let count = (samples.count - start) / channels
    // A change is due at a sample although its time in seconds is rounded down.
    let rounding = step / 1_000
    var frame = 0
    while frame < count {
      let now = seconds + step * Double(frame)
      let line = line(at: now + rounding)
      var until = count
      if line.end < seconds + step * Double(count) {
        until = min(max(Int(((line.end - rounding - seconds) / step).rounded(.up)), frame + 1), count)
      }
      let range = start + frame * channels..<start + until * channels
      // Of this line, also where rounding has put the last frame behind its end.
      let last = line.volume(at: seconds + step * Double(until - 1))
      Self.scale(&samples, range, channels, line.volume(at: now), last)
      frame = until
    }
  }

  /// In a straight line from the first frame to the last.
  private static func scale(
    _ samples: inout [Float], _ range: Range<Int>, _ channels: Int, _ first: Float, _ last: Float
  ) {
    if first == 1, last == 1 { return }
    let slope = (last - first) / Float(max(range.count / channels - 1, 1))
    for (frame, index) in stride(from: range.lowerBound, to: range.upperBound, by: channels).enumerated() {
      let gain = first + slope * Float(frame)
      for channel in 0..<channels { samples[index + channel] *= gain }
    }
  }
}
