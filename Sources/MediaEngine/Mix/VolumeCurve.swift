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
  package func volume(at seconds: Double) -> Float {
    guard let ramp = ramps.last(where: { $0.start.seconds <= seconds }) else { return 1 }
    let (start, end) = (ramp.start.seconds, ramp.end.seconds)
    guard seconds < end else { return ramp.endVolume }
    return ramp.startVolume + (ramp.endVolume - ramp.startVolume) * Float((seconds - start) / (end - start))
  }

  /// Multiplies the interleaved samples from an index on; the first of them sounds at `seconds`, each `step` seconds
  /// after the one before.
  func apply(to samples: inout [Float], from start: Int, channels: Int, at seconds: Double, step: Double) {
    guard !ramps.isEmpty, channels > 0, step > 0 else { return }
    let count = (samples.count - start) / channels
    let bounds = ramps.flatMap { [$0.start.seconds, $0.end.seconds] }
    var frame = 0
    while frame < count {
      let now = seconds + step * Double(frame)
      var until = count
      if let next = bounds.first(where: { $0 > now }), next < seconds + step * Double(count) {
        until = min(max(Int(((next - seconds) / step).rounded(.up)), frame + 1), count)
      }
      let last = volume(at: seconds + step * Double(until - 1))
      Self.scale(&samples, start + frame * channels..<start + until * channels, channels, volume(at: now), last)
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
