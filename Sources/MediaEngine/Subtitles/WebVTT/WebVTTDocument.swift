package import CoreMedia

/// A WebVTT file taken apart by the W3C's parser (WebVTT, “WebVTT parser algorithm”).
package struct WebVTTDocument: Sendable {
  package struct Cue: Hashable, Sendable {
    package var identifier: String
    package var start: CMTime
    package var end: CMTime
    package var placement: CuePlacement
    /// As written, tags included.
    package var text: String
  }

  package private(set) var cues: [Cue] = []
  package private(set) var regions: [CueRegion] = []
  package private(set) var styleSheets: [String] = []
  /// Lines of the header behind the signature, such as `X-TIMESTAMP-MAP=…`.
  package private(set) var header: [String] = []
  private var styleLength = 0

  /// Nil without the signature, which makes the text something else.
  package init?(_ text: String) {
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    guard Self.isSigned(text) else { return nil }
    var reader = LineReader(text)
    reader.position = 1
    if !reader.isAtEnd, !reader.lines[1].isEmpty {
      collectHeader(&reader)
    }
    while !reader.isAtEnd, cues.count < SubtitleLimits.cues {
      if reader.lines[reader.position].isEmpty {
        reader.position += 1
      } else {
        collectBlock(&reader)
      }
    }
  }

  package static func isSigned(_ text: String) -> Bool {
    var scalars = text.unicodeScalars.prefix(8)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    guard scalars.starts(with: "WEBVTT".unicodeScalars) else { return false }
    return scalars.dropFirst(6).first.map { " \t\n\r".unicodeScalars.contains($0) } ?? true
  }

  private struct LineReader {
    let lines: [Substring]
    var position = 0

    init(_ text: String) {
      // A NUL is no character of text.
      let clean = text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
      lines = clean.subtitleLines()
    }

    var isAtEnd: Bool { position >= lines.count }
  }

  private mutating func collectHeader(_ reader: inout LineReader) {
    while !reader.isAtEnd {
      let line = reader.lines[reader.position]
      // Times here begin a cue: the blank line is missing.
      if line.holdsArrow() { return }
      reader.position += 1
      if line.isEmpty { return }
      guard header.count < 100 else { continue }
      header.append(String(line.prefix(SubtitleLimits.settingsLine)))
      // Drafts before 2015 had regions in the header.
      if line.hasPrefix("Region:") { add(WebVTTSettings.region(line.dropFirst(7), separator: "=")) }
    }
  }

  private mutating func collectBlock(_ reader: inout LineReader) {
    enum Kind { case unknown, cue(Cue), badCue, style, region }
    var kind = Kind.unknown
    var content: [Substring] = []
    var seenArrow = false
    var lineCount = 0
    while !reader.isAtEnd {
      let line = reader.lines[reader.position]
      lineCount += 1
      if line.holdsArrow() {
        guard lineCount == 1 || (lineCount == 2 && !seenArrow) else { break }
        seenArrow = true
        reader.position += 1
        if let cue = cue(line, identifier: content.first ?? "") {
          content = []
          kind = .cue(cue)
        } else {
          kind = .badCue
        }
        continue
      }
      reader.position += 1
      if line.isEmpty { break }
      if lineCount == 2, case .unknown = kind, let first = content.first {
        if Self.isLabel(first, "STYLE") {
          kind = .style
          content = []
        } else if Self.isLabel(first, "REGION") {
          kind = .region
          content = []
        }
      }
      content.append(line)
    }
    switch kind {
    case .cue(var cue):
      let text = content.joined(separator: "\n")
      cue.text = text.limited(to: SubtitleLimits.cueText)
      cues.append(cue)
    case .style:
      let sheet = content.joined(separator: "\n")
      styleLength += sheet.utf8.count
      if styleLength <= SubtitleLimits.styleText { styleSheets.append(sheet) }
    case .region: add(WebVTTSettings.region(content.joined(separator: "\n")))
    case .badCue, .unknown: break
    }
  }

  private static func isLabel(_ line: Substring, _ label: String) -> Bool {
    line.hasPrefix(label) && line.unicodeScalars.dropFirst(label.utf8.count).allSatisfy(\.isSubtitleSpace)
  }

  private mutating func add(_ region: CueRegion) {
    guard !region.identifier.isEmpty, regions.count < SubtitleLimits.regions else { return }
    regions.append(region)
  }

  /// W3C WebVTT, “collect WebVTT cue timings and settings”.
  private func cue(_ line: Substring, identifier: Substring) -> Cue? {
    var cursor = ScalarCursor(line.limited(to: SubtitleLimits.settingsLine))
    cursor.skipSpace()
    guard let start = WebVTTTimestamp.collect(&cursor) else { return nil }
    cursor.skipSpace()
    guard cursor.take("-->") else { return nil }
    cursor.skipSpace()
    guard let end = WebVTTTimestamp.collect(&cursor) else { return nil }
    return Cue(
      identifier: String(identifier.prefix(SubtitleLimits.settingsLine)), start: start, end: end,
      placement: WebVTTSettings.placement(cursor.rest, regions: regions), text: "")
  }
}
