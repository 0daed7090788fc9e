/// How one sample of sound is written down, in memory or in a file.
package struct SampleFormat: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// 8 bits; WAVE has its smallest samples so.
    case unsigned
    /// 8, 16, 24 (in three bytes) or 32 bits.
    case signed
    /// 32 or 64 bits.
    case float
  }

  package let kind: Kind
  package let bits: Int
  package let isBigEndian: Bool

  /// Nil for what nobody writes.
  package init?(_ kind: Kind, bits: Int, isBigEndian: Bool = false) {
    let known =
      switch kind {
      case .unsigned: [8]
      case .signed: [8, 16, 24, 32]
      case .float: [32, 64]
      }
    guard known.contains(bits) else { return nil }
    self.init(kind, known: bits, isBigEndian: isBigEndian && bits > 8)
  }

  private init(_ kind: Kind, known bits: Int, isBigEndian: Bool) {
    self.kind = kind
    self.bits = bits
    self.isBigEndian = isBigEndian
  }

  package static let float32 = SampleFormat(.float, known: 32, isBigEndian: false)
  package static let float64 = SampleFormat(.float, known: 64, isBigEndian: false)
  package static let int16 = SampleFormat(.signed, known: 16, isBigEndian: false)
  package static let int32 = SampleFormat(.signed, known: 32, isBigEndian: false)

  package var byteCount: Int { bits / 8 }
}
