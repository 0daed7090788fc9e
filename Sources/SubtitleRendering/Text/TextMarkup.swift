import CoreMedia
import MediaEngine

/// Styled text as an event of SubStation Alpha in one of `TextSheet`'s styles. Pure.
struct TextMarkup {
  enum Pass {
    /// Letters with their outlines and shadows.
    case letters
    /// A box for each piece of a line: what is seen behind it, and how large lines are.
    case boxes
  }

  let appearance: SubtitleAppearance
  let metrics: TextMetrics
  let isVertical: Bool
  let voices: [String: SubtitleColor]
  /// Behind this, text is still to come.
  let time: CMTime

  /// Of boxes that are only measured: libass gives no mask for what can't be seen at all.
  static let measured: UInt8 = 1
  /// Of text that is still to come.
  private static let future = 0.4

  func markup(_ text: StyledText, _ pass: Pass) -> String {
    var result = ""
    var rest = SubtitleRenderLimits.cueText
    for run in text.runs where rest > 0 {
      let scalars = run.text.unicodeScalars.prefix(rest)
      rest -= scalars.count
      let isRuby = run.style.ruby == .annotation
      result += codes(run.style, pass)
      result += Self.escaped(isRuby ? "(\(String(scalars)))" : String(scalars))
    }
    return result
  }

  private func codes(_ style: TextStyle, _ pass: Pass) -> String {
    let size = metrics.size * (style.scale ?? 1).bounded(0.3...4, else: 1) * (style.ruby == .annotation ? 0.6 : 1)
    var codes = "{\\r" + (pass == .letters ? TextSheet.text : TextSheet.box) + "\\fs" + TextSheet.number(size)
    let family = style.fontFamily.flatMap(TextSheet.family) ?? TextSheet.family(appearance.fontFamily) ?? "sans-serif"
    codes += "\\fn" + (isVertical ? "@" : "") + family
    if style.isBold { codes += "\\b1" }
    if style.isItalic { codes += "\\i1" }
    switch pass {
    case .letters:
      if style.isUnderlined { codes += "\\u1" }
      if style.isStruckThrough { codes += "\\s1" }
      let color = style.color ?? style.voice.flatMap { voices[$0] } ?? appearance.color
      let isFuture = style.time.map { $0.isNumeric && $0 > time } ?? false
      let share = isFuture ? Self.future : 1
      func code(_ number: Int, _ color: SubtitleColor) -> String {
        let alpha = UInt8((Double(color.alpha) * share).rounded())
        return "\\\(number)c\(TextSheet.plain(color))\\\(number)a\(TextSheet.transparency(of: alpha))"
      }
      codes += code(1, color)
      if isFuture { codes += code(3, appearance.outlineColor) + code(4, appearance.shadowColor) }
    case .boxes:
      let color = style.background ?? appearance.background ?? SubtitleColor(red: 0, green: 0, blue: 0, alpha: 0)
      codes += "\\1a&HFF&\\3c\(TextSheet.plain(color))"
      codes += "\\3a\(TextSheet.transparency(of: max(color.alpha, Self.measured)))"
    }
    return codes + "}"
  }

  /// Text that libass draws as it is.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result.append(contentsOf: "\\N".unicodeScalars)
      // There is no code for a backslash: a word joiner keeps it from what follows.
      case "\\": result.append(contentsOf: "\\\u{2060}".unicodeScalars)
      case "{": result.append(contentsOf: "\\{".unicodeScalars)
      case "}": result.append(contentsOf: "\\}".unicodeScalars)
      case "\t": result.append(" ")
      case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}": break
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
