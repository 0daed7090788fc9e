/// What an event's override codes do, as far as drawing must know. Pure; where in doubt, they do.
enum ScriptCodes {
  /// Whether the event looks different as time goes on.
  static func move(_ text: String, effect: String) -> Bool {
    if !effect.allSatisfy(\.isWhitespace) { return true }
    return names(in: text).contains { name in
      ["t", "move", "fad", "k", "K"].contains { name.hasPrefix($0) }
    }
  }

  /// Whether the event has a place, a shape or a motion that plain text has not.
  static func placesItself(_ text: String) -> Bool {
    names(in: text).contains { name in
      ["pos", "org", "clip", "iclip", "p1", "p2", "p4", "fr", "t(", "move", "fad", "k", "K"].contains {
        name.hasPrefix($0)
      }
    }
  }

  /// What follows each backslash between braces, without leading spaces; so many scalars of it as any name has.
  private static func names(in text: String) -> [String] {
    guard text.utf8.contains(0x7B) else { return [] }
    var names: [String] = []
    for part in text.split(separator: "{").prefix(4_096) {
      for code in part.prefix(while: { $0 != "}" }).split(separator: "\\") {
        names.append(String(code.drop(while: \.isWhitespace).prefix(6)))
      }
    }
    return names
  }
}
