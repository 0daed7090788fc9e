/// Reads big-endian numbers from bytes that nobody vouches for: past the end every read gives nil.
struct ByteCursor {
  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - position }

  mutating func skip(_ count: Int) {
    position += min(max(count, 0), remaining)
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func number(_ count: Int) -> UInt64? {
    guard count <= 8, let taken = take(count) else { return nil }
    return taken.reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func u8() -> UInt8? { number(1).map { UInt8(truncatingIfNeeded: $0) } }
  mutating func u16() -> UInt16? { number(2).map { UInt16(truncatingIfNeeded: $0) } }
  mutating func u32() -> UInt32? { number(4).map { UInt32(truncatingIfNeeded: $0) } }
  mutating func u64() -> UInt64? { number(8) }
  mutating func i32() -> Int32? { u32().map { Int32(bitPattern: $0) } }
  mutating func i64() -> Int64? { u64().map { Int64(bitPattern: $0) } }
}

/// Four characters as a number, most significant first.
func code(_ text: StaticString) -> UInt32 {
  guard text.utf8CodeUnitCount == 4 else { return 0 }
  return UnsafeBufferPointer(start: text.utf8Start, count: 4).reduce(0) { $0 << 8 | UInt32($1) }
}
