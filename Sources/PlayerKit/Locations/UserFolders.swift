/// The lines of `user-dirs.dirs`: `XDG_VIDEOS_DIR="$HOME/Videos"`, nothing else of the shell's language.
struct UserFolders {
  private(set) var paths: [String: String] = [:]

  init(_ text: String, home: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      let trimmed = line.drop { $0 == " " || $0 == "\t" }
      guard trimmed.hasPrefix("XDG_"), let equals = trimmed.firstIndex(of: "=") else { continue }
      let key = String(trimmed[..<equals])
      guard let value = Self.unquoted(trimmed[trimmed.index(after: equals)...]) else { continue }
      if value == "$HOME" || value.hasPrefix("$HOME/") {
        paths[key] = home + value.dropFirst(5)
      } else if value.hasPrefix("/") {
        paths[key] = value
      }
    }
  }

  /// Between double quotes, a backslash taking the next character as it is; nil without both quotes.
  private static func unquoted(_ text: Substring) -> String? {
    guard text.first == "\"" else { return nil }
    var value = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if isEscaped {
        value.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        return value
      } else {
        value.append(character)
      }
    }
    return nil
  }
}
