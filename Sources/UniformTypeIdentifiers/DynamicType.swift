/// A type made up for a tag that no declared type has. Its identifier holds the tag, so nothing needs to be remembered.
struct DynamicType {
  let tag: String
  let tagClass: UTTagClass

  init?(tag: String, tagClass: UTTagClass) {
    guard DynamicType.classCodes[tagClass] != nil, !tag.isEmpty, tag.utf8.count <= 64 else { return nil }
    self.tag = tag
    self.tagClass = tagClass
  }

  init?(identifier: String) {
    guard identifier.hasPrefix(DynamicType.prefix),
      let text = DynamicType.decode(identifier.dropFirst(DynamicType.prefix.count)), text.hasPrefix(DynamicType.data)
    else { return nil }
    let parts = text.dropFirst(DynamicType.data.count).split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let match = DynamicType.classCodes.first(where: { $0.value == String(parts[0]) }) else {
      return nil
    }
    self.init(tag: String(parts[1]), tagClass: match.key)
  }

  /// `dyn.a` and the text `?0=6:CLASS=TAG` in base 32.
  var identifier: String {
    DynamicType.prefix + DynamicType.encode("\(DynamicType.data)\(DynamicType.classCodes[tagClass] ?? "")=\(tag)")
  }

  private static let prefix = "dyn.a"
  private static let data = "?0=6:"
  private static let classCodes: [UTTagClass: String] = [.filenameExtension: "1", .mimeType: "3"]
  /// Letters that are not mistaken for digits, then digits.
  private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789")

  private static func encode(_ text: String) -> String {
    var result = ""
    var pending = 0
    var bits = 0
    for byte in text.utf8 {
      pending = pending << 8 | Int(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        result.append(alphabet[pending >> bits & 31])
      }
      pending &= (1 << bits) - 1
    }
    if bits > 0 { result.append(alphabet[pending << (5 - bits) & 31]) }
    return result
  }

  private static func decode(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var pending = 0
    var bits = 0
    for character in text {
      guard let digit = alphabet.firstIndex(of: character) else { return nil }
      pending = pending << 5 | digit
      bits += 5
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
      }
      pending &= (1 << bits) - 1
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
