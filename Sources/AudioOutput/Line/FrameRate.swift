package import MediaRuntime

/// How fast a device counts frames: a nominal rate and an error in millionths. Conversions are exact to the nanosecond.
package struct FrameRate: Hashable, Sendable {
  package let framesPerSecond: Int
  /// How much faster than nominal the device runs, in parts per million.
  package let skew: Int

  package init(_ framesPerSecond: Int, skew: Int = 0) {
    self.framesPerSecond = max(framesPerSecond, 1)
    self.skew = min(max(skew, -900_000), 900_000)
  }

  /// Frames per second of host time.
  package var actual: Double { Double(framesPerSecond) * (1 + Double(skew) / 1_000_000) }

  /// Frames that have begun after this long, rounded down; negative durations give negative frames.
  package func frames(in duration: Nanoseconds) -> Int64 {
    let (quotient, remainder) = (Int128(duration.count) * perBillionSeconds).quotientAndRemainder(
      dividingBy: Self.scale)
    return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
  }

  /// The shortest time after which this many frames have begun.
  package func duration(of frames: Int64) -> Nanoseconds {
    let (quotient, remainder) = (Int128(frames) * Self.scale).quotientAndRemainder(dividingBy: perBillionSeconds)
    return Nanoseconds(Int64(clamping: remainder > 0 ? quotient + 1 : quotient))
  }

  private static let scale: Int128 = 1_000_000_000 * 1_000_000
  private var perBillionSeconds: Int128 { Int128(framesPerSecond) * Int128(1_000_000 + skew) }
}
