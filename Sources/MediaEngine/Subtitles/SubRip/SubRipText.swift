import Foundation

/// The tags that players understand in SubRip's text: `b`, `i`, `u`, `s`, `font` with colour, face and size, `br`, entities of
/// HTML, and SubStation's `{\an8}`, `{\b1}` and the like. What only looks like a tag stays text.
enum SubRipText {
  static func parse(_ source: String) -> (StyledText, CuePlacement?) {
    var text = StyledText()
    var placement: CuePlacement?
    var open: [(name: String, outer: TextStyle)] = []
    var style = TextStyle()
    var cursor = ScalarCursor(source)
    var plain = String.UnicodeScalarView()
    func flush() {
      text.append(String(plain), style)
      plain = String.UnicodeScalarView()
    }
    while let scalar = cursor.next() {
      switch scalar {
      case "<":
        let mark = cursor.index
        guard let tag = tag(&cursor) else {
          cursor.index = mark
          plain.append(scalar)
          continue
        }
        flush()
        if tag.name == "br" {
          text.append("\n", style)
        } else if tag.isClosing {
          guard let index = open.lastIndex(where: { $0.name == tag.name }) else { continue }
          style = open[index].outer
          // What was opened inside and is not closed yet goes on.
          let inner = open[(index + 1)...].map(\.name)
          open.removeSubrange(index...)
          for name in inner {
            open.append((name, style))
            apply(name, "", &style)
          }
        } else if open.count < SubtitleLimits.nesting {
          open.append((tag.name, style))
          apply(tag.name, tag.attributes, &style)
        }
      case "{" where cursor.current == "\\":
        guard let close = cursor.scalars[cursor.index...].firstIndex(of: "}") else {
          plain.append(scalar)
          continue
        }
        flush()
        let codes = String(String.UnicodeScalarView(cursor.scalars[cursor.index..<close]))
        cursor.index = close + 1
        SubStationOverrides.apply(codes, base: TextStyle(), to: &style, placement: &placement)
      case "&":
        if let found = CharacterReferences.consume(&cursor) {
          plain.append(contentsOf: found.unicodeScalars)
        } else {
          plain.append(scalar)
        }
      default: plain.append(scalar)
      }
    }
    flush()
    return (text, placement)
  }

  private struct Tag {
    var name: String
    var isClosing: Bool
    var attributes: String
  }

  private static let names: Set<String> = ["b", "i", "u", "s", "font", "br", "strong", "em", "strike"]

  private static func tag(_ cursor: inout ScalarCursor) -> Tag? {
    let isClosing = cursor.take("/")
    var name = String.UnicodeScalarView()
    while let scalar = cursor.current, scalar.isASCIILetter, name.count < 8 {
      name.append(scalar)
      cursor.index += 1
    }
    let lower = String(name).lowercased()
    guard names.contains(lower) else { return nil }
    var attributes = String.UnicodeScalarView()
    while let scalar = cursor.next() {
      if scalar == ">" {
        let text = String(attributes)
        guard text.isEmpty || text.first?.isWhitespace == true || text.first == "/" else { return nil }
        return Tag(name: alias(lower), isClosing: isClosing, attributes: text)
      }
      guard scalar != "<", scalar != "\n", attributes.count < 512 else { return nil }
      attributes.append(scalar)
    }
    return nil
  }

  private static func alias(_ name: String) -> String {
    switch name {
    case "strong": "b"
    case "em": "i"
    case "strike": "s"
    default: name
    }
  }

  private static func apply(_ name: String, _ attributes: String, _ style: inout TextStyle) {
    switch name {
    case "b": style.isBold = true
    case "i": style.isItalic = true
    case "u": style.isUnderlined = true
    case "s": style.isStruckThrough = true
    case "font":
      if let color = value(of: "color", attributes).flatMap({ SubtitleColor(css: $0) }) { style.color = color }
      if let face = value(of: "face", attributes), !face.isEmpty { style.fontFamily = face }
    default: break
    }
  }

  private static func value(of name: String, _ attributes: String) -> String? {
    guard let key = attributes.range(of: name, options: .caseInsensitive) else { return nil }
    var rest = attributes[key.upperBound...].drop(while: \.isWhitespace)
    guard rest.first == "=" else { return nil }
    rest = rest.dropFirst().drop(while: \.isWhitespace)
    if let quote = rest.first, quote == "\"" || quote == "'" {
      return String(rest.dropFirst().prefix { $0 != quote })
    }
    return String(rest.prefix { !$0.isWhitespace })
  }
}
