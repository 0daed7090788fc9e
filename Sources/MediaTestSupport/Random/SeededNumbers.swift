/// SplitMix64: the same numbers in every process for one seed.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  package mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

  /// From 0 up to, but not including, the limit.
  package mutating func below(_ limit: UInt64) -> UInt64 { next() % max(limit, 1) }
}
