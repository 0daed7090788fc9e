import Foundation

/// Sound whose frequency tells the time: in each second it goes from 500 to 4,500 Hz in a straight line.
struct SweptSound {
  private static let (low, sweep) = (500.0, 4_000.0)
  /// The seconds of media time around which it is judged; near a second's ends two sweeps meet in the window.
  private static let judged = 0.1...0.9
  private static let rate = 48_000.0
  /// On each side.
  private static let window = 960

  let samples: [Float]
  /// Between the fades at both ends.
  private let steady: Range<Int>
  /// By how much the recorded frequency lies above the media's.
  private let pitch: Double

  init(samples: [Float], pitch: Double) {
    self.samples = samples
    self.pitch = pitch
    let first = samples.firstIndex { abs($0) > 0.2 } ?? 0
    let last = samples.lastIndex { abs($0) > 0.2 } ?? 0
    let fade = Int(Self.rate / 10)
    steady = first + fade..<max(last - fade, first + fade)
  }

  /// Where in its second of media time the sound around a sample lies; nil where that can't be told.
  func second(at index: Int) -> Double? {
    let range = index - Self.window..<index + Self.window
    guard range.lowerBound >= steady.lowerBound, range.upperBound <= steady.upperBound else { return nil }
    // Where one sweep ends and the next begins, the frequency falls.
    guard let early = Self.frequency(samples[range.lowerBound..<index]),
      let late = Self.frequency(samples[index..<range.upperBound]), late > early
    else { return nil }
    guard let hertz = Self.frequency(samples[range]) else { return nil }
    let second = (hertz / pitch - Self.low) / Self.sweep
    return Self.judged.contains(second) ? second : nil
  }

  /// From where it crosses zero upwards.
  private static func frequency(_ samples: ArraySlice<Float>) -> Double? {
    var (first, last, count): (Double?, Double, Int) = (nil, 0, 0)
    for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
      let (before, after) = (Double(samples[index - 1]), Double(samples[index]))
      let place = Double(index - 1) + before / (before - after)
      if first == nil { first = place }
      last = place
      count += 1
    }
    guard let first, count > 4 else { return nil }
    // Centred: crossings lie nearly as far from one edge as from the other.
    let middle = (first + last) / 2 - Double(samples.startIndex + samples.endIndex) / 2
    guard abs(middle) < Double(samples.count) / 16 else { return nil }
    return Double(count - 1) * rate / (last - first)
  }
}
