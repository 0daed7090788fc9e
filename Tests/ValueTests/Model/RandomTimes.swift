import CoreMedia

/// A fast generator with a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// From 0 up to, but not including, `bound`.
  mutating func below(_ bound: UInt64) -> Int { Int(next() % bound) }

  /// True once in so many times.
  mutating func oneIn(_ bound: UInt64) -> Bool { next() % bound == 0 }
}

/// Times and numbers with a taste for the edges.
struct RandomTimes {
  var generator: SplitMix

  private static let values: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max, 1 << 62, -(1 << 62)]
  private static let scales: [Int32] = [
    1, 2, 3, 24, 25, 30, 600, 1000, 44_100, 48_000, 65_535, 65_536, 90_000, 1_000_000_000, 1 << 30, .max - 1, .max,
  ]
  private static let factors: [Int32] = [.min, .min + 1, -1000, -2, -1, 0, 1, 2, 1000, .max - 1, .max]
  private static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.5, 2, 0.1, 1.0 / 3, 1e-300, 1e300, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
    .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .infinity, -.infinity, .nan, 0x1p62, 0x1p63, 0x1p-62, 0x1p-97, 1e18,
  ]

  init(seed: UInt64) {
    generator = SplitMix(seed: seed)
  }

  mutating func value() -> Int64 {
    if generator.oneIn(6) { return RandomTimes.values[generator.below(UInt64(RandomTimes.values.count))] }
    return Int64(bitPattern: generator.next()) >> Int64(generator.below(64))
  }

  mutating func scale() -> Int32 {
    if generator.oneIn(2) { return RandomTimes.scales[generator.below(UInt64(RandomTimes.scales.count))] }
    return max(Int32(truncatingIfNeeded: generator.next() >> 33) >> Int32(generator.below(31)), 1)
  }

  mutating func factor() -> Int32 {
    if generator.oneIn(4) { return RandomTimes.factors[generator.below(UInt64(RandomTimes.factors.count))] }
    return Int32(truncatingIfNeeded: generator.next()) >> Int32(generator.below(32))
  }

  mutating func double() -> Double {
    if generator.oneIn(4) { return RandomTimes.doubles[generator.below(UInt64(RandomTimes.doubles.count))] }
    if generator.oneIn(4) { return Double(bitPattern: generator.next()) }
    return Double(Int64(bitPattern: generator.next()) >> Int64(generator.below(64))) / Double(scale())
  }

  mutating func time() -> CMTime {
    switch generator.below(24) {
    case 0: return .invalid
    case 1: return .indefinite
    case 2: return .positiveInfinity
    case 3: return .negativeInfinity
    case 4:
      // Fields that no initialiser with checks would give.
      return CMTime(
        value: value(), timescale: Int32(truncatingIfNeeded: generator.next()) >> Int32(generator.below(32)),
        flags: CMTimeFlags(rawValue: UInt32(generator.below(64))), epoch: value())
    default:
      let epoch: Int64 = generator.oneIn(5) ? [1, 2, -1, .max, .min][generator.below(5)] : 0
      let flags: CMTimeFlags = generator.oneIn(8) ? [.valid, .hasBeenRounded] : .valid
      return CMTime(value: value(), timescale: scale(), flags: flags, epoch: epoch)
    }
  }

  mutating func range() -> CMTimeRange {
    CMTimeRange(start: time(), duration: time())
  }
}
