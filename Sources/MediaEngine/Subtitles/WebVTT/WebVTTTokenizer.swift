/// The pieces of a cue's text (W3C WebVTT, “WebVTT cue text tokenizer”).
struct WebVTTTokenizer {
  enum Token: Hashable {
    case text(String)
    case start(name: String, classes: [String], annotation: String)
    case end(String)
    case timestamp(String)
  }

  private var cursor: ScalarCursor

  init(_ text: String) { cursor = ScalarCursor(text) }

  mutating func next() -> Token? {
    guard !cursor.isAtEnd else { return nil }
    guard cursor.current == "<" else { return .text(text()) }
    cursor.index += 1
    return tag()
  }

  private mutating func text() -> String {
    var result = String.UnicodeScalarView()
    while let scalar = cursor.current, scalar != "<" {
      cursor.index += 1
      if scalar == "&", let found = CharacterReferences.consume(&cursor) {
        result.append(contentsOf: found.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private mutating func tag() -> Token {
    switch cursor.current {
    case "/":
      cursor.index += 1
      return .end(upToEnd())
    case let scalar? where scalar.isASCIIDigit: return .timestamp(upToEnd())
    default: return startTag()
    }
  }

  /// Up to the closing bracket, which is consumed, or the end.
  private mutating func upToEnd() -> String {
    var result = String.UnicodeScalarView()
    while let scalar = cursor.next(), scalar != ">" { result.append(scalar) }
    return String(result)
  }

  private mutating func startTag() -> Token {
    var name = String.UnicodeScalarView()
    var classes: [String] = []
    var isClass = false
    var part = String.UnicodeScalarView()
    var annotation = ""
    func close() {
      if !isClass { name = part } else if !part.isEmpty { classes.append(String(part)) }
    }
    scanning: while let scalar = cursor.next() {
      switch scalar {
      case ">": break scanning
      case ".":
        close()
        isClass = true
        part = String.UnicodeScalarView()
      case let scalar where scalar.isSubtitleSpace:
        annotation = self.annotation()
        break scanning
      default: part.append(scalar)
      }
    }
    close()
    return .start(name: String(name), classes: classes, annotation: annotation)
  }

  /// Without space at its ends, and with single spaces inside.
  private mutating func annotation() -> String {
    var result = String.UnicodeScalarView()
    while let scalar = cursor.next(), scalar != ">" {
      if scalar == "&", let found = CharacterReferences.consume(&cursor) {
        result.append(contentsOf: found.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return result.split(whereSeparator: \.isSubtitleSpace).map { String($0) }.joined(separator: " ")
  }
}
