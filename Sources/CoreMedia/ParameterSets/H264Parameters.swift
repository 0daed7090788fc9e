extension SequenceParameters {
  /// Reads an H.264 sequence parameter set (ISO 14496-10, 7.3.2.1.1). Nil when it is damaged.
  init?(h264 unit: Data) {
    var reader = BitReader(unit: unit, headerLength: 1)
    guard let profile = reader.bits(8), reader.skip(16) != nil, reader.unsigned() != nil else { return nil }
    var hasSeparatePlanes = false
    if SequenceParameters.highProfiles.contains(profile) {
      guard let format = reader.unsigned(), format <= 3 else { return nil }
      chromaFormat = format
      if format == 3 {
        guard let separate = reader.bit() else { return nil }
        hasSeparatePlanes = separate
      }
      guard let luma = reader.unsigned(), let chroma = reader.unsigned(), luma <= 6, chroma <= 6,
        reader.bit() != nil, let hasLists = reader.bit()
      else { return nil }
      bitDepthLuma = 8 + luma
      bitDepthChroma = 8 + chroma
      if hasLists {
        for index in 0..<(format == 3 ? 12 : 8) {
          guard let isPresent = reader.bit() else { return nil }
          if isPresent, SequenceParameters.skipScalingList(&reader, count: index < 6 ? 16 : 64) == nil { return nil }
        }
      }
    }
    guard reader.unsigned() != nil, SequenceParameters.skipOrder(&reader) != nil, reader.unsigned() != nil,
      reader.bit() != nil, let columns = reader.unsigned(), let rows = reader.unsigned(), columns < 1 << 16,
      rows < 1 << 16, let framesOnly = reader.bit(), framesOnly || reader.bit() != nil, reader.bit() != nil,
      let isCropped = reader.bit()
    else { return nil }
    var crop: (left: UInt32, right: UInt32, top: UInt32, bottom: UInt32) = (0, 0, 0, 0)
    if isCropped {
      guard let left = reader.unsigned(), let right = reader.unsigned(), let top = reader.unsigned(),
        let bottom = reader.unsigned()
      else { return nil }
      crop = (left, right, top, bottom)
    }
    let hasChroma = chromaFormat != 0 && !hasSeparatePlanes
    let fields = framesOnly ? 1 : 2
    guard
      setSize(
        width: (Int(columns) + 1) * 16, height: (Int(rows) + 1) * 16 * fields, crop: crop,
        unitX: hasChroma && chromaFormat < 3 ? 2 : 1, unitY: (hasChroma && chromaFormat == 1 ? 2 : 1) * fields)
    else { return nil }
    if reader.bit() == true { readUsability(&reader) }
  }

  /// Those whose sets carry the chroma format.
  private static let highProfiles: Set<UInt32> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

  private static func skipScalingList(_ reader: inout BitReader, count: Int) -> Void? {
    var (last, next) = (8, 8)
    for _ in 0..<count {
      if next != 0 {
        guard let delta = reader.signed() else { return nil }
        next = (last + Int(delta % 256) + 256) % 256
      }
      if next != 0 { last = next }
    }
    return ()
  }

  /// Skips how pictures are ordered.
  private static func skipOrder(_ reader: inout BitReader) -> Void? {
    guard let type = reader.unsigned() else { return nil }
    switch type {
    case 0: return reader.unsigned().map { _ in }
    case 1:
      guard reader.bit() != nil, reader.signed() != nil, reader.signed() != nil, let count = reader.unsigned(),
        count <= 255
      else { return nil }
      for _ in 0..<count where reader.signed() == nil { return nil }
      return ()
    default: return ()
    }
  }
}
