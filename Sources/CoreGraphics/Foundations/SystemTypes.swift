/// A four-character code packed big-endian into 32 bits.
public typealias FourCharCode = UInt32
/// A four-character code that names a type.
public typealias OSType = FourCharCode
/// A result code of Apple's C functions; 0 is success.
public typealias OSStatus = Int32

/// The result code for success.
public let noErr: OSStatus = 0

extension FourCharCode {
  /// The code that four ASCII characters spell; characters beyond Latin-1 count as `?`, missing ones as spaces.
  package init(characters text: StaticString) {
    var code: UInt32 = 0
    text.withUTF8Buffer { bytes in
      for index in 0..<4 {
        code = code << 8 | UInt32(index < bytes.count ? bytes[index] : 0x20)
      }
    }
    self = code
  }

  /// The four characters, with `.` for what does not print.
  package var characters: String {
    var text = ""
    for shift in [24, 16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: self >> UInt32(shift))
      text.unicodeScalars.append((0x20..<0x7f).contains(byte) ? Unicode.Scalar(byte) : ".")
    }
    return text
  }
}
