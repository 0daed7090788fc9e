extension SequenceParameters {
  /// Reads an HEVC sequence parameter set (ISO 23008-2, 7.3.2.2.1). Nil when it is damaged.
  ///
  /// Aspect ratio and colour are read when no long-term machinery stands before them in the way, as in nearly all streams.
  init?(hevc unit: Data) {
    var reader = BitReader(unit: unit, headerLength: 2)
    guard reader.bits(4) != nil, let subLayers = reader.bits(3), subLayers <= 6, reader.bit() != nil,
      SequenceParameters.skipProfile(&reader, subLayers: Int(subLayers)) != nil, reader.unsigned() != nil,
      let format = reader.unsigned(), format <= 3
    else { return nil }
    chromaFormat = format
    var hasSeparatePlanes = false
    if format == 3 {
      guard let separate = reader.bit() else { return nil }
      hasSeparatePlanes = separate
    }
    guard let width = reader.unsigned(), let height = reader.unsigned(), width <= 1 << 20, height <= 1 << 20,
      let isCropped = reader.bit()
    else { return nil }
    var crop: (left: UInt32, right: UInt32, top: UInt32, bottom: UInt32) = (0, 0, 0, 0)
    if isCropped {
      guard let left = reader.unsigned(), let right = reader.unsigned(), let top = reader.unsigned(),
        let bottom = reader.unsigned()
      else { return nil }
      crop = (left, right, top, bottom)
    }
    let hasChroma = format != 0 && !hasSeparatePlanes
    guard
      setSize(
        width: Int(width), height: Int(height), crop: crop, unitX: hasChroma && format < 3 ? 2 : 1,
        unitY: hasChroma && format == 1 ? 2 : 1),
      let luma = reader.unsigned(), let chroma = reader.unsigned(), luma <= 8, chroma <= 8
    else { return nil }
    bitDepthLuma = 8 + luma
    bitDepthChroma = 8 + chroma
    if SequenceParameters.skipToUsability(&reader, subLayers: Int(subLayers)) == true { readUsability(&reader) }
  }

  /// The general profile, then those of the sub-layers (7.3.3).
  private static func skipProfile(_ reader: inout BitReader, subLayers: Int) -> Void? {
    guard reader.skip(96) != nil else { return nil }
    var lengths = 0
    for _ in 0..<subLayers {
      guard let hasProfile = reader.bit(), let hasLevel = reader.bit() else { return nil }
      lengths += (hasProfile ? 88 : 0) + (hasLevel ? 8 : 0)
    }
    if subLayers > 0 && reader.skip((8 - subLayers) * 2) == nil { return nil }
    return reader.skip(lengths)
  }

  /// True when usability information follows; nil or false when not, or when it can't be reached.
  private static func skipToUsability(_ reader: inout BitReader, subLayers: Int) -> Bool? {
    guard let orderBits = reader.unsigned(), let perLayer = reader.bit() else { return nil }
    for _ in 0..<(perLayer ? subLayers + 1 : 1) {
      for _ in 0..<3 where reader.unsigned() == nil { return nil }
    }
    for _ in 0..<6 where reader.unsigned() == nil { return nil }
    guard let hasLists = reader.bit() else { return nil }
    if hasLists {
      guard let inline = reader.bit() else { return nil }
      if inline && skipScalingLists(&reader) == nil { return nil }
    }
    guard reader.skip(2) != nil, let hasPulse = reader.bit() else { return nil }
    if hasPulse {
      guard reader.skip(8) != nil, reader.unsigned() != nil, reader.unsigned() != nil, reader.bit() != nil else {
        return nil
      }
    }
    guard skipReferenceSets(&reader) != nil, let hasLongTerm = reader.bit() else { return nil }
    if hasLongTerm {
      guard let count = reader.unsigned(), count <= 32 else { return nil }
      for _ in 0..<count where reader.skip(Int(min(orderBits, 12)) + 4 + 1) == nil { return nil }
    }
    guard reader.skip(2) != nil else { return nil }
    return reader.bit()
  }

  /// 7.3.4
  private static func skipScalingLists(_ reader: inout BitReader) -> Void? {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard let isCoded = reader.bit() else { return nil }
        guard isCoded else {
          if reader.unsigned() == nil { return nil }
          continue
        }
        if size > 1 && reader.signed() == nil { return nil }
        for _ in 0..<min(64, 1 << (4 + size * 2)) where reader.signed() == nil { return nil }
      }
    }
    return ()
  }

  /// 7.3.7
  private static func skipReferenceSets(_ reader: inout BitReader) -> Void? {
    guard let count = reader.unsigned(), count <= 64 else { return nil }
    var previous = 0
    for index in 0..<count {
      var isPredicted = false
      if index > 0 {
        guard let predicted = reader.bit() else { return nil }
        isPredicted = predicted
      }
      if isPredicted {
        guard reader.bit() != nil, reader.unsigned() != nil else { return nil }
        var kept = 0
        for _ in 0...previous {
          guard let isUsed = reader.bit() else { return nil }
          if isUsed {
            kept += 1
          } else {
            guard let uses = reader.bit() else { return nil }
            if uses { kept += 1 }
          }
        }
        previous = kept
      } else {
        guard let before = reader.unsigned(), let after = reader.unsigned(), before <= 16, after <= 16 else {
          return nil
        }
        for _ in 0..<before + after where reader.unsigned() == nil || reader.bit() == nil { return nil }
        previous = Int(before + after)
      }
    }
    return ()
  }
}
