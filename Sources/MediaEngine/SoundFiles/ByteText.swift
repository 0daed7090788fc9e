/// Bytes of a file's header, put together field by field.
struct ByteText {
  private(set) var bytes: [UInt8] = []

  mutating func text(_ text: String) { bytes += Array(text.utf8) }
  mutating func raw(_ values: [UInt8]) { bytes += values }

  mutating func little<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes += Array($0) }
  }

  mutating func big<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.bigEndian) { bytes += Array($0) }
  }
}
