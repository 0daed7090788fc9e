/// Mount points of `/proc/self/mountinfo` (proc(5)): the fifth field, blanks and the like as octal escapes.
struct MountTable {
  private(set) var points: [String] = []

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 4 else { continue }
      points.append(Self.unescaped(fields[4]))
    }
  }

  private static func unescaped(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
