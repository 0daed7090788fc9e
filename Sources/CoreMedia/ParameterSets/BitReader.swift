/// Reads the bits of a network abstraction layer unit's payload. Beyond the end everything is nil.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  /// - Parameter unit: a unit without start code; its emulation bytes are left out.
  init(unit: Data, headerLength: Int) {
    bytes = unit.dropFirst(headerLength).withoutEmulationBytes
  }

  mutating func bit() -> Bool? {
    guard position < bytes.count * 8 else { return nil }
    defer { position += 1 }
    return bytes[position / 8] >> UInt8(7 - position % 8) & 1 == 1
  }

  /// At most 32.
  mutating func bits(_ count: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let bit = bit() else { return nil }
      value = value << 1 | (bit ? 1 : 0)
    }
    return value
  }

  mutating func skip(_ count: Int) -> Void? {
    guard count >= 0, count <= bytes.count * 8 - position else { return nil }
    position += count
    return ()
  }

  /// Exponential-Golomb code (ISO 14496-10, 9.1).
  mutating func unsigned() -> UInt32? {
    var zeros = 0
    while true {
      guard let bit = bit() else { return nil }
      if bit { break }
      zeros += 1
      if zeros > 31 { return nil }
    }
    guard let rest = bits(zeros) else { return nil }
    return (1 << UInt32(zeros)) - 1 + rest
  }

  mutating func signed() -> Int32? {
    guard let code = unsigned() else { return nil }
    let half = Int32(code / 2)
    return code % 2 == 1 ? half + 1 : -half
  }
}
