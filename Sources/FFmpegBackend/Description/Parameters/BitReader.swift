import CoreMedia

/// Reads bits of a codec's header, most significant first.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// A NAL unit, read without its emulation bytes.
  init(nalUnit: some Sequence<UInt8>) { self.init(bytes: nalUnit.withoutEmulationBytes) }

  /// False, and nothing moves, where so many bits are not left.
  mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, count <= bytes.count * 8 - position else { return false }
    position += count
    return true
  }

  mutating func bit() -> Bool? { bits(1).map { $0 == 1 } }

  mutating func bits(_ count: Int) -> UInt32? {
    guard count >= 0, count <= 32, position + count <= bytes.count * 8 else { return nil }
    var value: UInt32 = 0
    for _ in 0..<count {
      value = value << 1 | UInt32(bytes[position >> 3] >> UInt8(7 - position & 7) & 1)
      position += 1
    }
    return value
  }

  /// `ue(v)` of ITU-T H.264 9.1.
  mutating func unsigned() -> UInt32? {
    var zeros = 0
    while let bit = bit() {
      if bit { return bits(zeros).map { (1 << UInt32(zeros)) &- 1 &+ $0 } }
      zeros += 1
      guard zeros < 32 else { return nil }
    }
    return nil
  }

  /// `se(v)` of ITU-T H.264 9.1.1.
  mutating func signed() -> Int32? {
    unsigned().map { code in
      let half = Int32(truncatingIfNeeded: (UInt64(code) + 1) / 2)
      return code & 1 == 1 ? half : -half
    }
  }
}
