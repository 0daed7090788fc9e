import Foundation

/// The rules of a file's STYLE blocks for `::cue` (W3C WebVTT, “CSS extensions”): types, classes, identifiers, `[voice=…]`,
/// `[lang=…]` and `:lang()`, one behind the other for parts within parts. Properties: colour, background, weight, slant,
/// decoration, family and size of the letters. Other selectors and properties are left out.
struct WebVTTStyleSheet: Sendable {
  struct Selector: Hashable, Sendable {
    var kind: WebVTTElement.Kind?
    var classes: [String] = []
    var identifier: String?
    var voice: String?
    var language: String?

    var specificity: Int {
      let attributes = classes.count + (voice == nil ? 0 : 1) + (language == nil ? 0 : 1)
      return (identifier == nil ? 0 : 10_000) + attributes * 100 + (kind == nil ? 0 : 1)
    }
  }

  struct Rule: Sendable {
    /// From the outermost to the innermost; empty for the cue as a whole.
    var selectors: [Selector]
    var declarations: [(name: String, value: String)]
    var specificity: Int { selectors.map(\.specificity).reduce(0, +) }
  }

  private(set) var rules: [Rule] = []

  init(_ sheets: [String]) {
    for sheet in sheets { parse(sheet) }
    // The order of CSS: the more specific later, else as written.
    rules = rules.enumerated().sorted { ($0.element.specificity, $0.offset) < ($1.element.specificity, $1.offset) }
      .map(\.element)
  }

  private mutating func parse(_ sheet: String) {
    var rest = Self.withoutComments(sheet)[...]
    while let open = rest.firstIndex(of: "{"), rules.count < SubtitleLimits.styleRules {
      let prelude = rest[..<open]
      let body = rest[rest.index(after: open)...]
      let close = body.firstIndex(of: "}") ?? body.endIndex
      let declarations = body[..<close].split(separator: ";").compactMap { text -> (name: String, value: String)? in
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let name = text[..<colon].trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        return (name, text[text.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines))
      }
      rest = close < body.endIndex ? body[body.index(after: close)...] : body[close...]
      let starts = prelude.ranges(of: "::cue")
      for (index, start) in starts.enumerated() {
        let end = index + 1 < starts.count ? starts[index + 1].lowerBound : prelude.endIndex
        for selectors in Self.selectors(prelude[start.upperBound..<end]) where rules.count < SubtitleLimits.styleRules {
          rules.append(Rule(selectors: selectors, declarations: declarations))
        }
      }
    }
  }

  private static func withoutComments(_ sheet: String) -> String {
    var result = ""
    var rest = sheet[...]
    while let start = rest.firstRange(of: "/*") {
      result += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].firstRange(of: "*/") else { return result }
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  /// What stands behind `::cue`: nothing, or a list in parentheses.
  private static func selectors(_ text: Substring) -> [[Selector]] {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines.union([","]))
    if text.isEmpty { return [[]] }
    guard text.hasPrefix("("), let close = text.lastIndex(of: ")") else { return [] }
    return text[text.index(after: text.startIndex)..<close].split(separator: ",").compactMap { list in
      var chain: [Selector] = []
      for compound in compounds(list) {
        guard let selector = selector(compound), chain.count < SubtitleLimits.nesting else { return nil }
        chain.append(selector)
      }
      return chain.isEmpty ? nil : chain
    }
  }

  /// Split at white space outside of brackets and quotes.
  private static func compounds(_ text: Substring) -> [Substring] {
    var isBracketed = false
    return text.split { character in
      if character == "[" { isBracketed = true }
      if character == "]" { isBracketed = false }
      return !isBracketed && character.isWhitespace
    }
  }

  private static func selector(_ text: Substring) -> Selector? {
    var selector = Selector()
    var cursor = ScalarCursor(text)
    func name() -> String {
      var result = String.UnicodeScalarView()
      while let scalar = cursor.current,
        scalar.isASCIILetter || scalar.isASCIIDigit || scalar.value > 127 || scalar == "_" || scalar == "-"
          || scalar == "\\"
      {
        cursor.index += 1
        if scalar == "\\" {
          if let escaped = cursor.next() { result.append(escaped) }
        } else {
          result.append(scalar)
        }
      }
      return String(result)
    }
    if cursor.current?.isASCIILetter == true {
      guard let kind = WebVTTElement.Kind(rawValue: name().lowercased()) else { return nil }
      selector.kind = kind
    } else {
      _ = cursor.take("*")
    }
    while let scalar = cursor.next() {
      switch scalar {
      case ".": selector.classes.append(name())
      case "#": selector.identifier = name()
      case "[":
        let attribute = name()
        guard cursor.take("=") else { return nil }
        var value = String.UnicodeScalarView()
        while let scalar = cursor.next(), scalar != "]" { value.append(scalar) }
        let bare = String(value).trimmingCharacters(in: ["\"", "'", " "])
        switch attribute {
        case "voice": selector.voice = bare
        case "lang": selector.language = bare
        default: return nil
        }
      case ":":
        guard cursor.take("lang(") else { return nil }
        var value = String.UnicodeScalarView()
        while let scalar = cursor.next(), scalar != ")" { value.append(scalar) }
        selector.language = String(value).trimmingCharacters(in: ["\"", "'", " "])
      default: return nil
      }
    }
    return selector
  }
}
