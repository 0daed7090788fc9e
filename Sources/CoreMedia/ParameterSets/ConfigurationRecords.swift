/// The `avcC` record (ISO 14496-15, 5.3.3.1): parameter sets as a container carries them.
struct AVCConfiguration {
  var parameterSets: [Data]
  var lengthSize: Int

  /// Nil when there is no sequence set, or a set is too long.
  static func record(sequenceSets: [Data], pictureSets: [Data], lengthSize: Int) -> Data? {
    guard let first = sequenceSets.first, first.count >= 4, sequenceSets.count <= 31, pictureSets.count <= 255,
      (sequenceSets + pictureSets).allSatisfy({ $0.count <= 0xffff }),
      let parameters = SequenceParameters(h264: first)
    else { return nil }
    let header = Array(first.prefix(4))
    var record = Data([1, header[1], header[2], header[3], 0xfc | UInt8(lengthSize - 1)])
    record.append(0xe0 | UInt8(sequenceSets.count))
    for set in sequenceSets { record.append(unit: set) }
    record.append(UInt8(pictureSets.count))
    for set in pictureSets { record.append(unit: set) }
    if [100, 110, 122, 144].contains(header[1]) {
      record.append(contentsOf: [
        0xfc | UInt8(parameters.chromaFormat), 0xf8 | UInt8(parameters.bitDepthLuma - 8),
        0xf8 | UInt8(parameters.bitDepthChroma - 8), 0,
      ])
    }
    return record
  }

  init?(record: Data) {
    var reader = RecordReader(record)
    guard reader.byte() == 1, reader.skip(3), let length = reader.byte(), let counts = reader.byte() else { return nil }
    lengthSize = Int(length & 3) + 1
    parameterSets = []
    for _ in 0..<(counts & 31) {
      guard let set = reader.unit() else { return nil }
      parameterSets.append(set)
    }
    for _ in 0..<(reader.byte() ?? 0) {
      guard let set = reader.unit() else { return nil }
      parameterSets.append(set)
    }
  }
}

/// The `hvcC` record (ISO 14496-15, 8.3.3.1).
struct HEVCConfiguration {
  var parameterSets: [Data]
  var lengthSize: Int

  /// Nil when there is no sequence set, or a set is too long.
  static func record(_ sets: [Data], lengthSize: Int) -> Data? {
    func type(_ set: Data) -> UInt8 { set.first.map { $0 >> 1 & 0x3f } ?? 0 }
    guard let sequence = sets.first(where: { type($0) == 33 }), let parameters = SequenceParameters(hevc: sequence),
      sets.allSatisfy({ $0.count <= 0xffff }), sequence.count >= 15
    else { return nil }
    // The general profile, tier and level stand unescaped in the payload's first bytes, after the layer counts.
    let payload = sequence.dropFirst(2).withoutEmulationBytes
    guard payload.count >= 13 else { return nil }
    var record = Data([1])
    record.append(contentsOf: payload[1..<13])
    record.append(contentsOf: [
      0xf0, 0, 0xfc, 0xfc | UInt8(parameters.chromaFormat), 0xf8 | UInt8(parameters.bitDepthLuma - 8),
      0xf8 | UInt8(parameters.bitDepthChroma - 8), 0, 0,
      ((payload[0] >> 1 & 7) + 1) << 3 | (payload[0] & 1) << 2 | UInt8(lengthSize - 1),
    ])
    let types = [32, 33, 34, 39, 40].filter { wanted in sets.contains { type($0) == wanted } } as [UInt8]
    record.append(UInt8(types.count))
    for wanted in types {
      let group = sets.filter { type($0) == wanted }
      record.append(0x80 | wanted)
      record.append(contentsOf: [UInt8(truncatingIfNeeded: group.count >> 8), UInt8(truncatingIfNeeded: group.count)])
      for set in group { record.append(unit: set) }
    }
    return record
  }

  init?(record: Data) {
    var reader = RecordReader(record)
    guard reader.byte() == 1, reader.skip(20), let length = reader.byte(), let groups = reader.byte() else {
      return nil
    }
    lengthSize = Int(length & 3) + 1
    parameterSets = []
    for _ in 0..<groups {
      guard reader.skip(1), let count = reader.short() else { return nil }
      for _ in 0..<count {
        guard let set = reader.unit() else { return nil }
        parameterSets.append(set)
      }
    }
  }
}

/// Walks through a record; nil or false beyond its end.
private struct RecordReader {
  private var rest: Data

  init(_ record: Data) {
    rest = record
  }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func skip(_ count: Int) -> Bool {
    guard rest.count >= count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  mutating func short() -> Int? {
    guard let high = byte(), let low = byte() else { return nil }
    return Int(high) << 8 | Int(low)
  }

  /// A length of two bytes and as many bytes.
  mutating func unit() -> Data? {
    guard let length = short(), rest.count >= length else { return nil }
    defer { rest = rest.dropFirst(length) }
    return Data(rest.prefix(length))
  }
}

extension Data {
  fileprivate mutating func append(unit: Data) {
    append(contentsOf: [UInt8(truncatingIfNeeded: unit.count >> 8), UInt8(truncatingIfNeeded: unit.count)])
    append(unit)
  }
}
