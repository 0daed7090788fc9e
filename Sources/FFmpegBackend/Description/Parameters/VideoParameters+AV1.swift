/// The AV1 bitstream's sequence header (5.5 of its specification), in an `av1C` box or as a low-overhead byte stream.
extension VideoParameters {
  static func av1(_ configuration: [UInt8]) -> VideoParameters? {
    var cursor = ByteCursor(configuration)
    if configuration.first == 0x81 { cursor.skip(4) }
    while let header = cursor.u8() {
      let type = header >> 3 & 0xF
      if header & 4 != 0 { cursor.skip(1) }
      var size = cursor.remaining
      if header & 2 != 0 {
        guard let stated = leb128(&cursor) else { return nil }
        size = stated
      }
      guard header & 0x80 == 0, let payload = cursor.take(size) else { return nil }
      if type == 1 { return VideoParameters(av1: payload) }
    }
    return nil
  }

  private static func leb128(_ cursor: inout ByteCursor) -> Int? {
    var value: UInt64 = 0
    for place in UInt64(0)..<8 {
      guard let byte = cursor.u8() else { return nil }
      value |= UInt64(byte & 0x7F) << (place * 7)
      if byte & 0x80 == 0 { return Int(exactly: value) }
    }
    return nil
  }

  private init?(av1 payload: ArraySlice<UInt8>) {
    self.init()
    var reader = BitReader(bytes: Array(payload))
    guard let profile = reader.bits(3), reader.bit() != nil, let isReduced = reader.bit() else { return nil }
    guard isReduced ? reader.skip(5) : Self.skipOperatingPoints(&reader) else { return nil }
    guard let widthBits = reader.bits(4), let heightBits = reader.bits(4), let width = reader.bits(Int(widthBits) + 1),
      let height = reader.bits(Int(heightBits) + 1)
    else { return nil }
    // Shown in the order decoded: frames that wait are hidden ones.
    reorderDepth = 0
    if !isReduced, reader.bit() == true { _ = reader.skip(7) }
    guard reader.skip(3) else { return nil }
    if !isReduced, !Self.skipTools(&reader) { return nil }
    guard reader.skip(3) else { return nil }
    readColor(&reader, profile: profile)
    setSize(width + 1, height + 1)
  }

  private static func skipOperatingPoints(_ reader: inout BitReader) -> Bool {
    var delayBits: Int?
    if reader.bit() == true {
      guard reader.skip(64), let isEqual = reader.bit() else { return false }
      if isEqual, reader.unsigned() == nil { return false }
      if reader.bit() == true {
        guard let bits = reader.bits(5), reader.skip(42) else { return false }
        delayBits = Int(bits) + 1
      }
    }
    guard let hasDelays = reader.bit(), let points = reader.bits(5) else { return false }
    for _ in 0...points {
      guard reader.skip(12), let level = reader.bits(5) else { return false }
      if level > 7, !reader.skip(1) { return false }
      if let delayBits, reader.bit() == true, !reader.skip(2 * delayBits + 1) { return false }
      if hasDelays, reader.bit() == true, !reader.skip(4) { return false }
    }
    return true
  }

  /// From interintra compounds to the bits of order hints.
  private static func skipTools(_ reader: inout BitReader) -> Bool {
    guard reader.skip(4), let hasOrder = reader.bit() else { return false }
    if hasOrder, !reader.skip(2) { return false }
    guard let choosesScreen = reader.bit() else { return false }
    var forced: UInt32 = 2
    if !choosesScreen {
      guard let value = reader.bits(1) else { return false }
      forced = value
    }
    if forced > 0 {
      guard let choosesInteger = reader.bit() else { return false }
      if !choosesInteger, !reader.skip(1) { return false }
    }
    return hasOrder ? reader.skip(3) : true
  }

  /// 5.5.2.
  private mutating func readColor(_ reader: inout BitReader, profile: UInt32) {
    guard let isHigh = reader.bit() else { return }
    bitDepth = isHigh ? 10 : 8
    if profile == 2, isHigh, reader.bit() == true { bitDepth = 12 }
    let isMonochrome = profile == 1 ? false : reader.bit() ?? false
    if reader.bit() == true {
      primaries = reader.bits(8).map(Int.init)
      transfer = reader.bits(8).map(Int.init)
      matrix = reader.bits(8).map(Int.init)
    }
    // sRGB in three whole planes says no more.
    if primaries == 1, transfer == 13, matrix == 0 {
      isFullRange = true
      chromaFormat = 3
    } else {
      isFullRange = reader.bit()
      chromaFormat = isMonochrome ? 0 : profile == 1 ? 3 : 1
    }
  }
}
