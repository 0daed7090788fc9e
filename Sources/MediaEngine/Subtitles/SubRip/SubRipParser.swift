package import CoreMedia
import Foundation

/// SubRip files as they are found: counters missing or wrong, a point for the comma, no hours, one to many digits behind
/// the seconds, any line ends, empty lines within a cue's text.
///
/// There is no standard; a line with two times and an arrow begins a cue, all else follows from that.
package enum SubRipParser {
  package static func parse(_ text: String) -> [SubtitleCue] {
    let lines = text.subtitleLines()
    var cues: [SubtitleCue] = []
    var current: (start: CMTime, end: CMTime, counter: String)?
    var content: [Substring] = []

    func close(droppingCounter: Bool) -> String {
      defer { content = [] }
      var identifier = ""
      while content.last.map(isBlank) == true { content.removeLast() }
      if droppingCounter, let last = content.last, isCounter(last) {
        // A number right before the next times is their counter, in the text it would stand behind an empty line.
        identifier = String(last).trimmingCharacters(in: .whitespaces)
        content.removeLast()
      }
      if let current, cues.count < SubtitleLimits.cues {
        let made = cue(current.start, current.end, current.counter, withoutOrphans(content))
        // Times without text show nothing.
        if made.text?.isEmpty == false { cues.append(made) }
      }
      return identifier
    }

    for line in lines {
      if let (start, end) = times(line) {
        let counter = close(droppingCounter: true)
        current = (start, end, counter)
      } else if current != nil || isCounter(line) {
        content.append(line)
      }
    }
    // A lone counter at the end announces a cue that was cut off.
    let isCut = content.count > 1 && content.last.map(isCounter) == true && isBlank(content[content.count - 2])
    _ = close(droppingCounter: isCut)
    return cues
  }

  /// A block of its own behind an empty line that begins with a counter, but has no times: it belongs to nobody.
  private static func withoutOrphans(_ lines: [Substring]) -> [Substring] {
    for index in lines.indices.dropFirst() where isBlank(lines[index - 1]) && isCounter(lines[index]) {
      return Array(lines[..<(index - 1)])
    }
    return lines
  }

  private static func cue(_ start: CMTime, _ end: CMTime, _ counter: String, _ lines: [Substring]) -> SubtitleCue {
    var lines = lines[...]
    while lines.last.map(isBlank) == true { lines.removeLast() }
    while lines.first.map(isBlank) == true { lines.removeFirst() }
    let source = lines.joined(separator: "\n")
    let (text, placement) = SubRipText.parse(
      source.limited(to: SubtitleLimits.cueText))
    var cue = SubtitleCue(start: start, end: max(start, end), content: .text(text))
    cue.identifier = counter
    if let placement { cue.placement = placement }
    return cue
  }

  /// The text of one cue whose times are known otherwise.
  package static func cue(_ source: String, start: CMTime, end: CMTime) -> SubtitleCue {
    cue(start, end, "", source.subtitleLines())
  }

  private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

  private static func isCounter(_ line: Substring) -> Bool {
    let scalars = line.unicodeScalars.filter { !$0.isSubtitleSpace && $0 != "\u{FEFF}" }
    return 1...9 ~= scalars.count && scalars.allSatisfy(\.isASCIIDigit)
  }

  /// The times of a line like `00:00:01,000 --> 00:00:02,500`; what follows them is left out.
  static func times(_ line: Substring) -> (CMTime, CMTime)? {
    guard line.holdsArrow() else { return nil }
    var cursor = ScalarCursor(line.limited(to: SubtitleLimits.settingsLine))
    if cursor.current == "\u{FEFF}" { cursor.index += 1 }
    guard let start = time(&cursor) else { return nil }
    cursor.skipSpace()
    while cursor.take("-") {}
    guard cursor.take(">"), let end = time(&cursor) else { return nil }
    return (start, end)
  }

  private static func time(_ cursor: inout ScalarCursor) -> CMTime? {
    cursor.skipSpace()
    let isNegative = cursor.take("-")
    var fields: [Int64] = []
    while let field = cursor.digits(), fields.count < 3 {
      fields.append(min(field.value, 1_000_000_000))
      let mark = cursor.index
      cursor.skipSpace()
      guard fields.count < 3, cursor.take(":") else {
        cursor.index = mark
        break
      }
      cursor.skipSpace()
    }
    guard 2...3 ~= fields.count else { return nil }
    let seconds = fields.reduce(0) { $0 * 60 + $1 }
    var micros: Int64 = 0
    let mark = cursor.index
    cursor.skipSpace()
    if cursor.take(",") || cursor.take(".") || cursor.take(":") {
      cursor.skipSpace()
      var scale: Int64 = 100_000
      while let digit = cursor.current, digit.isASCIIDigit {
        micros += Int64(digit.value - 48) * scale
        scale /= 10
        cursor.index += 1
      }
    } else {
      cursor.index = mark
    }
    // A cue cannot begin before the film; negative times come from moving a whole file too far.
    guard !isNegative else { return .zero }
    return CMTime(value: (seconds * 1_000_000 + micros) / 1_000, timescale: 1_000)
  }
}
