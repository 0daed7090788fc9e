/// What an ICY (SHOUTcast, Icecast) server puts between pieces of sound: `StreamTitle='…';StreamUrl='…';`, filled up with
/// zeros to a multiple of 16 bytes.
package struct ICYMetadata: Hashable, Sendable {
  /// What one length byte can announce.
  package static let longestBlock = 255 * 16

  /// What is playing; empty where the server says that it has no title now, nil where it says nothing of one.
  package var streamTitle: String?
  package var streamURL: String?

  /// Never fails: what can't be read is left out, bytes beyond `longestBlock` are not looked at.
  ///
  /// Nothing escapes an apostrophe in a value, so one ends where `';` is followed by another quoted field or by
  /// nothing, else at the last `';`; a block that is cut ends its last value. Each value is UTF-8 where it can be, else Latin-1. The first of two equal
  /// fields counts; names are compared without case.
  package init(block: some Sequence<UInt8>) {
    let bytes = Array(block.prefix(Self.longestBlock).prefix { $0 != 0 })
    var rest = bytes[...]
    while let field = Field(takenFrom: &rest) {
      switch field.name {
      case "streamtitle": streamTitle = streamTitle ?? field.text
      case "streamurl": streamURL = streamURL ?? field.text
      default: break
      }
    }
  }

  /// As tags of an item, in the block's order of importance; those that the block has with a text.
  package var entries: [MetadataEntry] {
    [("StreamTitle", "title", streamTitle), ("StreamUrl", "url", streamURL)].compactMap { key, generic, value in
      guard let value, !value.isEmpty else { return nil }
      return MetadataEntry(keySpace: .icy, key: key, genericKey: generic, value: value)
    }
  }
}

private struct Field {
  /// In lower case.
  var name: String
  var value: ArraySlice<UInt8>

  private static let longestName = 64
  private static let quote = UInt8(ascii: "'")
  private static let semicolon = UInt8(ascii: ";")

  /// Nil where no field is left; what is none goes, up to the next semicolon.
  init?(takenFrom rest: inout ArraySlice<UInt8>) {
    while !rest.isEmpty {
      guard let found = Self.start(of: rest) else {
        rest = rest.drop { $0 != Self.semicolon }.dropFirst()
        continue
      }
      let body = rest[found.value...]
      let end = found.isQuoted ? Self.end(of: body) : body.firstIndex(of: Self.semicolon) ?? body.endIndex
      name = found.name
      value = body[..<end]
      rest = body[end...].dropFirst(found.isQuoted ? 2 : 1)
      return
    }
    return nil
  }

  var text: String {
    if let text = String(validating: value, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    for byte in value { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }

  /// The name that `bytes` begin with, blanks before it left out, and where its value begins.
  private static func start(of bytes: ArraySlice<UInt8>) -> (name: String, value: Int, isQuoted: Bool)? {
    let trimmed = bytes.drop { $0 == UInt8(ascii: " ") || $0 == semicolon }
    let letters = trimmed.prefix(longestName).prefix(while: isNameByte)
    let behind = trimmed[letters.endIndex...]
    guard !letters.isEmpty, behind.first == UInt8(ascii: "=") else { return nil }
    let body = behind.dropFirst()
    let isQuoted = body.first == quote
    let name = String(decoding: letters, as: UTF8.self).lowercased()
    return (name, isQuoted ? body.dropFirst().startIndex : body.startIndex, isQuoted)
  }

  /// Where the apostrophe stands that ends a quoted value; where none is sure to, the last one before a semicolon does.
  private static func end(of body: ArraySlice<UInt8>) -> Int {
    var last: Int?
    for index in body.indices where body[index] == quote {
      let behind = body[index...].dropFirst()
      if behind.isEmpty { return last ?? index }
      guard behind.first == semicolon else { continue }
      last = index
      let next = behind.dropFirst()
      if next.allSatisfy({ $0 == UInt8(ascii: " ") }) { return index }
      if let field = start(of: next), field.isQuoted { return index }
    }
    return last ?? body.endIndex
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
