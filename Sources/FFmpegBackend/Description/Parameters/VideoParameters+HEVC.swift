import CoreMedia
import Foundation

/// ITU-T H.265, 7.3.2.2.1, E.2.1 and D.2.28, D.2.35.
extension VideoParameters {
  private enum Unit {
    static let sequenceParameters: UInt8 = 33
    static let prefixMessages: UInt8 = 39
  }

  /// From `hvcC` (ISO 14496-15, 8.3.3.1) or from a byte stream with start codes.
  static func hevc(_ configuration: [UInt8]) -> VideoParameters? {
    guard configuration.first == 1 else {
      return unit(configuration) { $0 >> 1 & 0x3F == Unit.sequenceParameters }.flatMap { VideoParameters(hevc: $0) }
    }
    var cursor = ByteCursor(configuration)
    cursor.skip(22)
    var result: VideoParameters?
    var messages: [ArraySlice<UInt8>] = []
    for _ in 0..<(cursor.u8() ?? 0) {
      guard let type = cursor.u8(), let count = cursor.u16() else { break }
      for _ in 0..<count {
        guard let size = cursor.u16(), let unit = cursor.take(Int(size)) else { break }
        switch type & 0x3F {
        case Unit.sequenceParameters: result = result ?? VideoParameters(hevc: unit)
        case Unit.prefixMessages: messages.append(unit)
        default: break
        }
      }
    }
    for unit in messages.prefix(16) { result?.readMessages(unit) }
    return result
  }

  private init?(hevc unit: ArraySlice<UInt8>) {
    self.init()
    var reader = BitReader(nalUnit: unit.dropFirst(2))
    guard reader.bits(4) != nil, let layers = reader.bits(3), layers < 7, reader.bit() != nil,
      Self.skipProfiles(&reader, layers: Int(layers)), reader.unsigned() != nil, let chroma = reader.unsigned(),
      chroma <= 3
    else { return nil }
    chromaFormat = chroma
    if chroma == 3 { _ = reader.bit() }
    guard let width = reader.unsigned(), let height = reader.unsigned(), width <= 1 << 16, height <= 1 << 16,
      let isCropped = reader.bit()
    else { return nil }
    var crop: [UInt32] = []
    if isCropped {
      for _ in 0..<4 {
        guard let edge = reader.unsigned(), edge < 1 << 16 else { return nil }
        crop.append(edge)
      }
    }
    setSize(width, height, crop: crop)
    guard let depth = reader.unsigned(), depth <= 8, reader.unsigned() != nil, let orderBits = reader.unsigned(),
      orderBits <= 12, let isPerLayer = reader.bit()
    else { return nil }
    bitDepth = 8 + Int(depth)
    for _ in 0...(isPerLayer ? layers : 0) {
      guard reader.unsigned() != nil, let held = reader.unsigned(), held <= 16, reader.unsigned() != nil else {
        return nil
      }
      // The last one is of the highest layer, which is what is decoded.
      reorderDepth = Int(held)
    }
    for _ in 0..<6 where reader.unsigned() == nil { return nil }
    // What follows is needed to find VUI; size and depth hold without it.
    guard Self.skipTools(&reader, orderBits: Int(orderBits) + 4), reader.bit() == true else { return }
    readAspectAndColor(&reader)
  }

  /// 7.3.3.
  private static func skipProfiles(_ reader: inout BitReader, layers: Int) -> Bool {
    guard reader.skip(96) else { return false }
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<layers {
      guard let profile = reader.bit(), let level = reader.bit() else { return false }
      present.append((profile, level))
    }
    if layers > 0, !reader.skip(2 * (8 - layers)) { return false }
    return present.allSatisfy { reader.skip(($0.profile ? 88 : 0) + ($0.level ? 8 : 0)) }
  }

  /// From the scaling lists to the flag before VUI.
  private static func skipTools(_ reader: inout BitReader, orderBits: Int) -> Bool {
    guard let hasScaling = reader.bit() else { return false }
    if hasScaling, reader.bit() == true, !skipScalingLists(&reader) { return false }
    guard reader.skip(2), let hasPCM = reader.bit() else { return false }
    if hasPCM {
      guard reader.skip(8), reader.unsigned() != nil, reader.unsigned() != nil, reader.skip(1) else { return false }
    }
    guard let sets = reader.unsigned(), sets <= 64 else { return false }
    var previous = 0
    for index in 0..<sets {
      guard let count = pictureSet(&reader, isFirst: index == 0, previous: previous) else { return false }
      previous = count
    }
    guard let hasLongTerm = reader.bit() else { return false }
    if hasLongTerm {
      guard let count = reader.unsigned(), count <= 32, reader.skip(Int(count) * (orderBits + 1)) else { return false }
    }
    return reader.skip(2)
  }

  /// 7.3.4.
  private static func skipScalingLists(_ reader: inout BitReader) -> Bool {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard let isExplicit = reader.bit() else { return false }
        let count = isExplicit ? min(64, 1 << (4 + size << 1)) + (size > 1 ? 1 : 0) : 1
        for _ in 0..<count {
          // Signed and unsigned numbers are equally long.
          guard reader.unsigned() != nil else { return false }
        }
      }
    }
    return true
  }

  /// 7.3.7: how many pictures the set names; nil where it is damaged.
  private static func pictureSet(_ reader: inout BitReader, isFirst: Bool, previous: Int) -> Int? {
    if !isFirst, reader.bit() == true {
      guard reader.bit() != nil, reader.unsigned() != nil else { return nil }
      var count = 0
      for _ in 0...previous {
        guard let isUsed = reader.bit() else { return nil }
        if isUsed { count += 1 } else if reader.bit() == true { count += 1 }
      }
      return count <= 32 ? count : nil
    }
    guard let before = reader.unsigned(), let after = reader.unsigned(), before <= 16, after <= 16 else { return nil }
    for _ in 0..<before + after {
      guard reader.unsigned() != nil, reader.bit() != nil else { return nil }
    }
    return Int(before + after)
  }

  /// 7.3.5: the messages on the mastering display and the content's light.
  private mutating func readMessages(_ unit: ArraySlice<UInt8>) {
    let bytes = unit.dropFirst(2).withoutEmulationBytes
    var cursor = ByteCursor(bytes)
    func number() -> Int? {
      var total = 0
      while let byte = cursor.u8() {
        total += Int(byte)
        if byte != 255 { return total }
      }
      return nil
    }
    while let type = number(), let size = number(), let payload = cursor.take(size) {
      if type == 137, size == 24 { masteringDisplay = Data(payload) }
      if type == 144, size == 4 { contentLightLevel = Data(payload) }
    }
  }
}
