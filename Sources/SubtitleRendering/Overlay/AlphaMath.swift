/// Eight-bit arithmetic of transparency, each result rounded to the nearest.
enum AlphaMath {
  /// `value / 255` for 0…65,025, rounded.
  @inline(__always)
  static func divide(_ value: Int) -> Int {
    let biased = value &+ 128
    return (biased &+ biased >> 8) >> 8
  }

  /// What is seen of a value behind something of this alpha, with that of what lies before it, multiplied by its alpha.
  @inline(__always)
  static func over(_ front: Int, _ alpha: Int, _ back: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: min(front &+ divide(back &* (255 &- alpha)), 255))
  }
}
