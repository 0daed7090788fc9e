/// A channel layout with all its descriptions, as a value.
public struct ManagedAudioChannelLayout: Sendable {
  /// The C structure, at least as long as `AudioChannelLayout`.
  private let bytes: Data

  public init(tag: AudioChannelLayoutTag) {
    self.init(tag: tag, bitmap: [], descriptions: [])
  }

  public init(channelBitmap: AudioChannelBitmap) {
    self.init(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: channelBitmap, descriptions: [])
  }

  public init<Descriptions: Sequence>(channelDescriptions: Descriptions)
  where Descriptions.Element == AudioChannelDescription {
    self.init(
      tag: kAudioChannelLayoutTag_UseChannelDescriptions, bitmap: [], descriptions: Array(channelDescriptions))
  }

  /// Copies a layout of `size` bytes; descriptions that do not fit in them are left out.
  package init?(_ layout: UnsafePointer<AudioChannelLayout>, size: Int) {
    guard size >= AudioChannelLayout.descriptionsOffset else { return nil }
    let raw = UnsafeRawBufferPointer(start: layout, count: size)
    let room = (size - AudioChannelLayout.descriptionsOffset) / MemoryLayout<AudioChannelDescription>.stride
    let count = min(Int(raw.loadUnaligned(fromByteOffset: 8, as: UInt32.self)), room)
    let descriptions = (0..<count).map { index in
      raw.loadUnaligned(
        fromByteOffset: AudioChannelLayout.descriptionsOffset + index * MemoryLayout<AudioChannelDescription>.stride,
        as: AudioChannelDescription.self)
    }
    self.init(
      tag: raw.loadUnaligned(fromByteOffset: 0, as: UInt32.self),
      bitmap: AudioChannelBitmap(rawValue: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
      descriptions: descriptions)
  }

  private init(tag: AudioChannelLayoutTag, bitmap: AudioChannelBitmap, descriptions: [AudioChannelDescription]) {
    var data = Data()
    for word in [tag, bitmap.rawValue, UInt32(clamping: descriptions.count)] {
      withUnsafeBytes(of: word) { data.append(contentsOf: $0) }
    }
    for description in descriptions.isEmpty ? [AudioChannelDescription()] : descriptions {
      withUnsafeBytes(of: description) { data.append(contentsOf: $0) }
    }
    bytes = data
  }

  public var tag: AudioChannelLayoutTag { word(0) }
  public var channelBitmap: AudioChannelBitmap { AudioChannelBitmap(rawValue: word(4)) }

  public var channelDescriptions: [AudioChannelDescription] {
    bytes.withUnsafeBytes { raw in
      (0..<Int(word(8))).map { index in
        raw.loadUnaligned(
          fromByteOffset: AudioChannelLayout.descriptionsOffset + index * MemoryLayout<AudioChannelDescription>.stride,
          as: AudioChannelDescription.self)
      }
    }
  }

  /// The number of channels that the tag, the bitmap or the descriptions give.
  package var channelCount: Int {
    switch tag {
    case kAudioChannelLayoutTag_UseChannelDescriptions: Int(word(8))
    case kAudioChannelLayoutTag_UseChannelBitmap: channelBitmap.rawValue.nonzeroBitCount
    default: Int(tag & 0xffff)
    }
  }

  /// The C structure's length.
  public var sizeInBytes: Int { bytes.count }

  /// The pointer is valid during the call.
  public func withUnsafePointer<Result>(_ body: (UnsafePointer<AudioChannelLayout>) throws -> Result) rethrows -> Result
  {
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count, alignment: MemoryLayout<AudioChannelLayout>.alignment)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    let layout = copy.bindMemory(to: AudioChannelLayout.self)
    guard let head = layout.baseAddress else { preconditionFailure("a channel layout is never empty") }
    return try body(UnsafePointer(head))
  }

  private func word(_ offset: Int) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  }
}

extension ManagedAudioChannelLayout: Hashable {
  public static func == (left: ManagedAudioChannelLayout, right: ManagedAudioChannelLayout) -> Bool {
    left.bytes == right.bytes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }
}
