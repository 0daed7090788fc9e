extension Sequence<UInt8> {
  /// A NAL unit's bytes without those that keep start codes from appearing in it (ISO 14496-10, 7.4.1.1).
  package var withoutEmulationBytes: [UInt8] {
    var clean: [UInt8] = []
    clean.reserveCapacity(underestimatedCount)
    var zeros = 0
    for byte in self {
      if zeros >= 2 && byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      clean.append(byte)
    }
    return clean
  }
}
