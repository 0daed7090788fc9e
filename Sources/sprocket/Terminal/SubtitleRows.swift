import MediaEngine
import VideoOutput

/// Subtitles as lines of a terminal's own text: where a picture has a few dozen pixels of height, drawn letters could not be
/// read.
enum SubtitleRows {
  /// A row is left free at either edge. Lines that are too long are broken between words; those that find no room any more
  /// are left out, the oldest first.
  static func texts(of shown: ShownSubtitles, in placement: PicturePlacement) -> [TerminalText] {
    let width = placement.columns - 2
    guard width >= 8, placement.rows >= 4 else { return [] }
    var upper: [String] = []
    var lower: [String] = []
    for layer in shown.layers {
      for cue in layer.cues {
        guard let text = cue.text?.string else { continue }
        let lines = text.split(whereSeparator: \.isNewline).flatMap { broken(String($0), width: width) }
        if layer.place == .top || isAtTop(cue.placement) { upper += lines } else { lower += lines }
      }
    }
    let most = placement.rows / 2 - 1
    upper = Array(upper.suffix(most))
    lower = Array(lower.suffix(most))
    let firstLower = placement.rows - 1 - lower.count
    return upper.enumerated().map { text($1, row: 1 + $0, placement) }
      + lower.enumerated().map { text($1, row: firstLower + $0, placement) }
  }

  private static func isAtTop(_ placement: CuePlacement) -> Bool {
    switch placement.line {
    case .automatic: false
    case .number(let line): line >= 0 && line < 5
    case .percent(let share): share < 40
    }
  }

  private static func text(_ line: String, row: Int, _ placement: PicturePlacement) -> TerminalText {
    let padded = " \(line) "
    let columns = StatusLine.columns(padded)
    return TerminalText(column: (placement.columns - columns) / 2, row: row, columns: columns, text: padded)
  }

  static func broken(_ line: String, width: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    for word in StatusLine.printable(line).split(separator: " ") {
      for piece in pieces(String(word), width: width) {
        let joined = current.isEmpty ? piece : current + " " + piece
        if StatusLine.columns(joined) <= width {
          current = joined
        } else {
          lines.append(current)
          current = piece
        }
      }
    }
    if !current.isEmpty { lines.append(current) }
    return lines
  }

  /// A word that is longer than a line, as whole languages' sentences are.
  private static func pieces(_ word: String, width: Int) -> [String] {
    guard StatusLine.columns(word) > width else { return [word] }
    var pieces = [""]
    for character in word {
      if StatusLine.columns(pieces[pieces.count - 1] + String(character)) > width { pieces.append("") }
      pieces[pieces.count - 1].append(character)
    }
    return pieces
  }
}
