/// ITU-T H.264, 7.3.2.1.1 and E.1.1.
extension VideoParameters {
  /// From `avcC` (ISO 14496-15, 5.3.3.1) or from a byte stream with start codes.
  static func h264(_ configuration: [UInt8]) -> VideoParameters? {
    if configuration.first == 1 {
      var cursor = ByteCursor(configuration)
      cursor.skip(5)
      guard let count = cursor.u8(), count & 0x1F > 0, let size = cursor.u16(), let unit = cursor.take(Int(size)) else {
        return nil
      }
      return VideoParameters(h264: unit)
    }
    return unit(configuration) { $0 & 0x1F == 7 }.flatMap { VideoParameters(h264: $0) }
  }

  private init?(h264 unit: ArraySlice<UInt8>) {
    self.init()
    var reader = BitReader(nalUnit: unit.dropFirst())
    guard let profile = reader.bits(8), let constraints = reader.bits(8), reader.bits(8) != nil,
      reader.unsigned() != nil
    else { return nil }
    if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134].contains(profile) {
      guard readHighProfile(&reader) else { return nil }
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
    guard reader.unsigned() != nil, reader.bit() != nil, let width = reader.unsigned(), let height = reader.unsigned(),
      let framesOnly = reader.bit()
    else { return nil }
    if !framesOnly { _ = reader.bit() }
    guard reader.bit() != nil, let isCropped = reader.bit() else { return nil }
    var crop: [UInt32] = []
    if isCropped {
      for _ in 0..<4 {
        guard let edge = reader.unsigned(), edge < 1 << 16 else { return nil }
        crop.append(edge)
      }
    }
    if width < 1 << 12, height < 1 << 12 {
      let fields: UInt32 = framesOnly ? 1 : 2
      setSize((width + 1) * 16, (height + 1) * 16 * fields, crop: crop, frameUnit: Int(fields))
    }
    if reader.bit() == true { readUsability(&reader) }
    // E.2.1: these profiles, with constraint_set3, hold nothing back; type 2 is output order.
    let isIntra = [44, 86, 100, 110, 122, 244].contains(profile) && constraints & 0x10 != 0
    if reorderDepth == nil && (isIntra || orderType == 2) { reorderDepth = 0 }
  }

  private mutating func readHighProfile(_ reader: inout BitReader) -> Bool {
    guard let chroma = reader.unsigned() else { return false }
    chromaFormat = chroma
    if chroma == 3 { _ = reader.bit() }
    guard let depth = reader.unsigned(), reader.unsigned() != nil, reader.bit() != nil, let hasScaling = reader.bit()
    else { return false }
    bitDepth = 8 + Int(min(depth, 8))
    guard hasScaling else { return true }
    for index in 0..<(chroma == 3 ? 12 : 8) {
      guard let isPresent = reader.bit() else { return false }
      if isPresent && !skipScalingList(&reader, size: index < 6 ? 16 : 64) { return false }
    }
    return true
  }

  private func skipScalingList(_ reader: inout BitReader, size: Int) -> Bool {
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
    readAspectAndColor(&reader)
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
