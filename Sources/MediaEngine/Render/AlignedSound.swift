internal import MediaIO
internal import MediaRuntime

extension AudioBlock {
  /// The block from its first sample that falls exactly on a sample of another rate; nil when it begins with one.
  ///
  /// A resampler that begins there has the phases of one that has run since sample 0, so that sound is the same to the
  /// bit wherever it was begun.
  func aligned(to rate: Int) -> AudioBlock? {
    let own = format.sampleRate
    guard own > 0, rate > 0, own != rate else { return nil }
    let period = Int64(own / Self.greatestCommonDivisor(own, rate))
    let phase = (startSample % period + period) % period
    guard phase != 0 else { return nil }
    let skipped = Int(min(period - phase, Int64(sampleCount)))
    var late = self
    late.startSample += Int64(skipped)
    late.sampleCount -= skipped
    late.storage = LateSamples(storage, skipped: skipped, count: late.sampleCount, channels: format.channelCount)
    return late
  }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return max(a, 1)
  }
}

/// Samples without their first ones.
private final class LateSamples: AudioSamples {
  private let whole: any AudioSamples
  private let skipped: Int
  private let count: Int
  private let channels: Int

  init(_ whole: any AudioSamples, skipped: Int, count: Int, channels: Int) {
    self.whole = whole
    self.skipped = skipped
    self.count = count
    self.channels = channels
  }

  func copyInterleaved(_ into: UnsafeMutableBufferPointer<Float>) {
    var all = [Float](repeating: 0, count: (skipped + count) * channels)
    all.withUnsafeMutableBufferPointer { whole.copyInterleaved($0) }
    for index in 0..<min(into.count, count * channels) { into[index] = all[skipped * channels + index] }
  }

  func checksum() -> UInt64 { whole.checksum() &+ UInt64(skipped) }
}
