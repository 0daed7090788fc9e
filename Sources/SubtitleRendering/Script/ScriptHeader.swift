/// A script's header for libass: without its section of events, whose fields may be named in an order that the events
/// given one by one don't have. Pure.
enum ScriptHeader {
  static func withoutEvents(_ header: String) -> String {
    var kept: [Substring] = []
    var isEvents = false
    for line in header.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let start = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
      if start.hasPrefix("[") { isEvents = start.lowercased().hasPrefix("[events]") }
      if !isEvents { kept.append(line) }
    }
    return kept.joined(separator: "\n") + "\n"
  }
}
