package import MediaRuntime

/// When which recorded frame was heard, from the instants at which the recorder handed its pieces over.
///
/// A piece may come late, never early: the earliest of some seconds tells.
package struct SoundArrivals: Sendable {
  private let rate: Double
  private var frames = 0
  /// Per second of host time: by how many seconds frame 0 precedes it, at the earliest seen.
  private var earliest: [Int: Double] = [:]

  init(rate: Double = 48_000) { self.rate = rate }

  mutating func add(frames more: Int, at time: HostTime) {
    frames += more
    let seconds = Double(time.nanoseconds) / 1_000_000_000
    let origin = seconds - Double(frames) / rate
    earliest[Int(seconds)] = min(earliest[Int(seconds)] ?? .infinity, origin)
  }

  /// The frame heard at an instant; nil where nothing was recorded.
  package func frame(at time: HostTime) -> Int? {
    let seconds = Double(time.nanoseconds) / 1_000_000_000
    let origins = (-2...2).compactMap { earliest[Int(seconds) + $0] }
    guard let origin = origins.min() else { return nil }
    let frame = Int(((seconds - origin) * rate).rounded(.down))
    return frame >= 0 && frame < frames ? frame : nil
  }
}
