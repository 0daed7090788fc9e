package import CoreMedia
import Foundation

/// A file of SubStation Alpha (`.ssa`, `.ass`): its dialogue as cues, and the whole as libass wants it.
package struct SubStationScript: Sendable {
  /// Everything but the dialogue: information, styles, fonts.
  package private(set) var header = ""
  package private(set) var cues: [SubtitleCue] = []
  private var styles: [String: Style] = [:]

  private struct Style {
    var text = TextStyle()
    var placement = CuePlacement()
  }

  package static func isScript(_ text: String) -> Bool {
    for line in text.subtitleLines().prefix(50) {
      let line = line.trimmingCharacters(in: .whitespaces.union(["\u{FEFF}"])).lowercased()
      if line.hasPrefix("[script info]") || line.hasPrefix("[v4") || line.hasPrefix("[events]") { return true }
    }
    return false
  }

  package init(_ text: String) {
    var section = ""
    var eventFields: [String] = Self.eventFields
    var styleFields: [String] = []
    var kept: [Substring] = []
    for line in text.subtitleLines() {
      let trimmed = line.trimmingCharacters(in: .whitespaces.union(["\u{FEFF}"]))
      if trimmed.hasPrefix("["), trimmed.hasSuffix("]") {
        section = trimmed.lowercased()
        kept.append(line)
        continue
      }
      guard let colon = trimmed.firstIndex(of: ":") else {
        kept.append(line)
        continue
      }
      let key = trimmed[..<colon].lowercased()
      let value = trimmed[trimmed.index(after: colon)...].drop(while: \.isWhitespace)
      if section == "[events]" {
        if key == "format" { eventFields = Self.fields(value) }
        if key == "dialogue" {
          add(value, eventFields)
          continue
        }
        if key == "comment" { continue }
      } else if section.hasPrefix("[v4"), section.contains("styles") {
        if key == "format" { styleFields = Self.fields(value) }
        if key == "style" { addStyle(value, styleFields) }
      }
      kept.append(line)
    }
    header = kept.joined(separator: "\n")
  }

  /// The styles of a header, for events that come one by one.
  package init(header: String) { self.init(header) }

  /// An event that came on its own.
  package func cue(_ event: SubStationEvent, start: CMTime, end: CMTime) -> SubtitleCue {
    let style = styles[event.style.trimmingCharacters(in: ["*", " "])] ?? styles["Default"] ?? Style()
    var placement: CuePlacement?
    let text = SubStationText.parse(event.text, base: style.text, placement: &placement)
    var cue = SubtitleCue(start: start, end: end, content: .script(event, text))
    cue.placement = placement ?? style.placement
    return cue
  }

  private static let eventFields = [
    "layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text",
  ]

  private static func fields(_ line: Substring) -> [String] {
    line.split(separator: ",").prefix(64).map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
  }

  private mutating func add(_ line: Substring, _ fields: [String]) {
    guard cues.count < SubtitleLimits.cues, fields.last == "text" else { return }
    let values = line.split(separator: ",", maxSplits: fields.count - 1, omittingEmptySubsequences: false)
    guard values.count == fields.count else { return }
    func value(_ name: String) -> String {
      fields.firstIndex(of: name).map { String(values[$0]) } ?? ""
    }
    func number(_ name: String) -> Int { Int(value(name).trimmingCharacters(in: .whitespaces)) ?? 0 }
    guard let start = Self.time(value("start")), let end = Self.time(value("end")) else { return }
    let name = fields.contains("name") ? value("name") : value("actor")
    let text = value("text")
    let event = SubStationEvent(
      readOrder: cues.count, layer: number("layer"), style: value("style").trimmingCharacters(in: .whitespaces),
      name: name, marginLeft: number("marginl"), marginRight: number("marginr"), marginVertical: number("marginv"),
      effect: value("effect"),
      text: text.limited(to: SubtitleLimits.cueText))
    cues.append(cue(event, start: start, end: max(start, end)))
  }

  private mutating func addStyle(_ line: Substring, _ fields: [String]) {
    guard styles.count < SubtitleLimits.styleRules else { return }
    let values = line.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    func value(_ name: String) -> String? {
      fields.firstIndex(of: name).flatMap { values.indices.contains($0) ? values[$0] : nil }
    }
    guard let name = value("name") else { return }
    var style = Style()
    style.text.isBold = (value("bold").flatMap { Int($0) } ?? 0) != 0
    style.text.isItalic = (value("italic").flatMap { Int($0) } ?? 0) != 0
    style.text.isUnderlined = (value("underline").flatMap { Int($0) } ?? 0) != 0
    style.text.isStruckThrough = (value("strikeout").flatMap { Int($0) } ?? 0) != 0
    style.text.fontFamily = value("fontname")
    style.text.color = value("primarycolour").flatMap { SubStationOverrides.color($0) }
    if let place = value("alignment").flatMap({ Int($0) }).flatMap({ CuePlacement(numpad: $0) }) {
      style.placement = place
    }
    styles[name.trimmingCharacters(in: ["*"])] = style
  }

  /// `h:mm:ss.cc`.
  private static func time(_ text: String) -> CMTime? {
    var cursor = ScalarCursor(text)
    cursor.skipSpace()
    let isNegative = cursor.take("-")
    guard let hours = cursor.digits(), cursor.take(":"), let minutes = cursor.digits(), cursor.take(":"),
      let seconds = cursor.digits()
    else { return nil }
    var micros: Int64 = 0
    if cursor.take(".") || cursor.take(":") || cursor.take(",") {
      var scale: Int64 = 100_000
      while let digit = cursor.current, digit.isASCIIDigit {
        micros += Int64(digit.value - 48) * scale
        scale /= 10
        cursor.index += 1
      }
    }
    guard !isNegative else { return .zero }
    let fields = [hours, minutes, seconds].map { min($0.value, 1_000_000_000) }
    return CMTime(value: ((fields[0] * 60 + fields[1]) * 60 + fields[2]) * 1_000 + micros / 1_000, timescale: 1_000)
  }
}
