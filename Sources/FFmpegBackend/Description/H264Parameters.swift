/// What the first sequence parameter set of a stream says (ITU-T H.264 7.3.2.1.1 and E.1.1).
struct H264Parameters {
  var profile: UInt8 = 0
  var chromaFormat: UInt32 = 1
  var bitDepth = 8
  var pixelAspect: (Int, Int)?
  var isFullRange: Bool?
  var primaries: Int?
  var transfer: Int?
  var matrix: Int?
  /// How many pictures may be held back for reordering; nil when the stream does not say.
  var reorderDepth: Int?

  /// From `avcC` (ISO 14496-15, 5.3.3.1) or from a byte stream with start codes.
  init?(configuration: [UInt8]) {
    var cursor = ByteCursor(configuration)
    if configuration.first == 1 {
      cursor.skip(5)
      guard let count = cursor.u8(), count & 0x1F > 0, let size = cursor.u16(), let unit = cursor.take(Int(size)) else {
        return nil
      }
      self.init(sequenceParameterSet: unit)
      return
    }
    for start in configuration.indices.dropFirst(3)
    where configuration[start] & 0x1F == 7 && configuration[start - 3..<start].elementsEqual([0, 0, 1]) {
      self.init(sequenceParameterSet: configuration[start...])
      return
    }
    return nil
  }

  private init?(sequenceParameterSet unit: ArraySlice<UInt8>) {
    var reader = BitReader(nalUnit: unit.dropFirst())
    guard let profile = reader.bits(8), let constraints = reader.bits(8), reader.bits(8) != nil,
      reader.unsigned() != nil
    else { return nil }
    self.profile = UInt8(truncatingIfNeeded: profile)
    if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134].contains(profile) {
      guard Self.readHighProfile(&reader, into: &self) else { return nil }
    }
    guard reader.unsigned() != nil, let orderType = reader.unsigned() else { return nil }
    if orderType == 0 {
      guard reader.unsigned() != nil else { return nil }
    } else if orderType == 1 {
      guard reader.bit() != nil, reader.signed() != nil, reader.signed() != nil, let count = reader.unsigned(),
        count < 256
      else { return nil }
      for _ in 0..<count where reader.signed() == nil { return nil }
    }
    guard reader.unsigned() != nil, reader.bit() != nil, reader.unsigned() != nil, reader.unsigned() != nil,
      let framesOnly = reader.bit()
    else { return nil }
    if !framesOnly { _ = reader.bit() }
    guard reader.bit() != nil, let isCropped = reader.bit() else { return nil }
    if isCropped { for _ in 0..<4 where reader.unsigned() == nil { return nil } }
    if reader.bit() == true { readUsability(&reader) }
    // E.2.1: these profiles, with constraint_set3, hold nothing back; type 2 is output order.
    let isIntra = [44, 86, 100, 110, 122, 244].contains(profile) && constraints & 0x10 != 0
    if reorderDepth == nil && (isIntra || orderType == 2) { reorderDepth = 0 }
  }

  private static func readHighProfile(_ reader: inout BitReader, into result: inout H264Parameters) -> Bool {
    guard let chroma = reader.unsigned() else { return false }
    result.chromaFormat = chroma
    if chroma == 3 { _ = reader.bit() }
    guard let depth = reader.unsigned(), reader.unsigned() != nil, reader.bit() != nil, let hasScaling = reader.bit()
    else { return false }
    result.bitDepth = 8 + Int(min(depth, 8))
    guard hasScaling else { return true }
    for index in 0..<(chroma == 3 ? 12 : 8) {
      guard let isPresent = reader.bit() else { return false }
      if isPresent && !skipScalingList(&reader, size: index < 6 ? 16 : 64) { return false }
    }
    return true
  }

  private static func skipScalingList(_ reader: inout BitReader, size: Int) -> Bool {
    var last: Int32 = 8
    var next: Int32 = 8
    for _ in 0..<size {
      if next != 0 {
        guard let delta = reader.signed() else { return false }
        next = (last &+ delta) & 0xFF
      }
      last = next == 0 ? last : next
    }
    return true
  }

  /// Annex E.
  private mutating func readUsability(_ reader: inout BitReader) {
    if reader.bit() == true, let code = reader.bits(8) {
      if code == 255 {
        if let width = reader.bits(16), let height = reader.bits(16), width > 0, height > 0 {
          pixelAspect = (Int(width), Int(height))
        }
      } else {
        pixelAspect = SampleAspect.table(code)
      }
    }
    if reader.bit() == true { _ = reader.bit() }
    if reader.bit() == true {
      _ = reader.bits(3)
      isFullRange = reader.bit()
      if reader.bit() == true {
        primaries = reader.bits(8).map(Int.init)
        transfer = reader.bits(8).map(Int.init)
        matrix = reader.bits(8).map(Int.init)
      }
    }
    if reader.bit() == true {
      _ = reader.unsigned()
      _ = reader.unsigned()
    }
    if reader.bit() == true {
      _ = reader.bits(32)
      _ = reader.bits(32)
      _ = reader.bit()
    }
    guard let hasNalTiming = reader.bit() else { return }
    if hasNalTiming && !skipTiming(&reader) { return }
    guard let hasVideoTiming = reader.bit() else { return }
    if hasVideoTiming && !skipTiming(&reader) { return }
    if hasNalTiming || hasVideoTiming { _ = reader.bit() }
    _ = reader.bit()
    guard reader.bit() == true, reader.bit() != nil else { return }
    for _ in 0..<4 where reader.unsigned() == nil { return }
    guard let depth = reader.unsigned(), reader.unsigned() != nil, depth <= 16 else { return }
    reorderDepth = Int(depth)
  }

  private func skipTiming(_ reader: inout BitReader) -> Bool {
    guard let count = reader.unsigned(), count < 32, reader.bits(8) != nil else { return false }
    for _ in 0...count {
      guard reader.unsigned() != nil, reader.unsigned() != nil, reader.bit() != nil else { return false }
    }
    return reader.bits(20) != nil
  }
}

/// Pixel aspects by their number (ITU-T H.273, table 12).
enum SampleAspect {
  private static let values: [(Int, Int)] = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
    (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]

  static func table(_ code: UInt32) -> (Int, Int)? {
    guard code >= 1, code <= UInt32(values.count) else { return nil }
    return values[Int(code) - 1]
  }
}
