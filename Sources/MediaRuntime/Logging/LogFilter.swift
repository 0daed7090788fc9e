/// Which level each category has, read from the form `level` or `category:level,…,level`.
package struct LogFilter: Sendable {
  /// For categories that are not named.
  package var level = Log.Level.warning
  package var categories: [String: Log.Level] = [:]
  /// Parts that are not of the form, for a message to the user.
  package var rejected: [String] = []

  package init(_ text: String = "") {
    for part in text.split(separator: ",") {
      let words = part.split(separator: ":", omittingEmptySubsequences: false).map { Self.trim($0) }
      if words.count == 1, let level = Log.Level(name: words[0]) {
        self.level = level
      } else if words.count == 2, !words[0].isEmpty, let level = Log.Level(name: words[1]) {
        categories[String(words[0])] = level
      } else {
        rejected.append(String(part))
      }
    }
  }

  package func level(of category: String) -> Log.Level { categories[category] ?? level }

  private static func trim(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
