/// An event's text without its override codes, in pieces of one look each.
enum SubStationText {
  static func parse(_ source: String, base: TextStyle, placement: inout CuePlacement?) -> StyledText {
    var text = StyledText()
    var style = base
    var plain = String.UnicodeScalarView()
    var cursor = ScalarCursor(source)
    var isDrawing = false
    func flush() {
      if !isDrawing { text.append(String(plain), style) }
      plain = String.UnicodeScalarView()
    }
    while let scalar = cursor.next() {
      switch scalar {
      case "{":
        guard let close = cursor.scalars[cursor.index...].firstIndex(of: "}") else {
          plain.append(scalar)
          continue
        }
        flush()
        let codes = String(String.UnicodeScalarView(cursor.scalars[cursor.index..<close]))
        cursor.index = close + 1
        if let level = drawingLevel(codes) { isDrawing = level > 0 }
        SubStationOverrides.apply(codes, base: base, to: &style, placement: &placement)
      case "\\":
        switch cursor.current {
        case "N", "n":
          plain.append("\n")
          cursor.index += 1
        case "h":
          plain.append("\u{A0}")
          cursor.index += 1
        default: plain.append(scalar)
        }
      default: plain.append(scalar)
      }
    }
    flush()
    return text
  }

  /// `\p1` begins vector graphics, `\p0` ends them; `\pos` and `\pbo` are others.
  private static func drawingLevel(_ codes: String) -> Int? {
    var level: Int?
    for code in codes.split(separator: "\\") where code.hasPrefix("p") {
      if let number = Int(code.dropFirst().filter { !$0.isWhitespace }) { level = number }
    }
    return level
  }
}
