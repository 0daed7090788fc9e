import MediaEngine

/// Breaks text that libass can't: it ends lines at spaces alone where it was built without Unicode's rules, so that
/// scripts without spaces, and words longer than a line, would leave the picture. Pure.
struct LineBreaker {
  /// How long a line may get, and the size of the text, in the same unit.
  let limit: Double
  let size: Double

  /// Shares of the size: how wide letters are about.
  private static let wideAdvance = 0.86
  private static let narrowAdvance = 0.55

  private struct Letter {
    var character: Character
    var style: TextStyle
    var advance: Double
    var isWide: Bool
    var isSpace: Bool { character.isWhitespace }
  }

  /// The text with line breaks more, where something in it is too long for a line.
  func broken(_ text: StyledText) -> StyledText {
    var result = StyledText()
    var paragraph: [Letter] = []
    for run in text.runs {
      for character in run.text {
        if character.isNewline {
          append(paragraph, to: &result)
          result.append("\n", run.style)
          paragraph = []
        } else {
          paragraph.append(letter(character, run.style))
        }
      }
    }
    append(paragraph, to: &result)
    return result
  }

  private func letter(_ character: Character, _ style: TextStyle) -> Letter {
    let isWide = character.unicodeScalars.first.map(Self.isWide) ?? false
    let share = (isWide ? Self.wideAdvance : Self.narrowAdvance) * (style.scale ?? 1).bounded(0.3...4, else: 1)
    return Letter(character: character, style: style, advance: share * size, isWide: isWide)
  }

  private func append(_ letters: [Letter], to result: inout StyledText) {
    var lines = [letters]
    if longestPiece(letters) > limit {
      let whole = letters.reduce(0) { $0 + $1.advance }
      // Lines of about one length.
      let count = (whole / limit).rounded(.up)
      lines = split(letters, at: min(limit, whole / count * 1.05))
    }
    for (index, line) in lines.enumerated() {
      if index > 0, let first = line.first { result.append("\n", first.style) }
      for letter in line { result.append(String(letter.character), letter.style) }
    }
  }

  /// Between two spaces.
  private func longestPiece(_ letters: [Letter]) -> Double {
    var (longest, own) = (0.0, 0.0)
    for letter in letters {
      own = letter.isSpace ? 0 : own + letter.advance
      longest = max(longest, own)
    }
    return longest
  }

  private func split(_ letters: [Letter], at length: Double) -> [[Letter]] {
    var lines: [[Letter]] = []
    var line: [Letter] = []
    var width = 0.0
    /// How many of the line's letters stand before the last good place to end it.
    var good: Int?
    for letter in letters {
      if let last = line.last, Self.mayBreak(last, letter) { good = line.count }
      if width + letter.advance > length, !line.isEmpty {
        let kept = good ?? line.count
        let rest = Array(line[kept...].drop(while: \.isSpace))
        lines.append(Array(line[..<kept]))
        line = rest
        width = rest.reduce(0) { $0 + $1.advance }
        good = nil
      }
      line.append(letter)
      width += letter.advance
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  private static func mayBreak(_ before: Letter, _ after: Letter) -> Bool {
    if after.isSpace || closing.contains(after.character) || opening.contains(before.character) { return false }
    return before.isSpace || before.isWide || after.isWide
  }

  /// What stays with the letter before it, or behind it (Unicode Standard Annex 14, classes CL, EX, NS, OP).
  private static let closing: Set<Character> = [
    "、", "。", "，", "．", "！", "？", "：", "；", "）", "」", "』", "】", "》", "〉", "〕", "］", "｝", "”", "’", "…", "‥", "ー", "々",
    "ぁ", "ぃ", "ぅ", "ぇ", "ぉ", "っ", "ゃ", "ゅ", "ょ", "ァ", "ィ", "ゥ", "ェ", "ォ", "ッ", "ャ", "ュ", "ョ", ",", ".", "!", "?", ":",
    ";", ")", "]", "}", "·", "・",
  ]
  private static let opening: Set<Character> = ["（", "「", "『", "【", "《", "〈", "〔", "［", "｛", "“", "‘", "(", "[", "{"]

  /// Scripts whose lines end between any two letters: Chinese, Japanese, Korean, Yi, wide forms.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
