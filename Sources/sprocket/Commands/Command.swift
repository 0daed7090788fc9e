/// One of the program's commands.
struct Command {
  let name: String
  let usage: String
  let summary: String
  let options: [OptionSpec]
  /// How many it uses at once beside the standard ones: files, event queues, wakers, the sound server.
  var descriptors = 24
  /// Runs on the main thread before its run loop; calls back with the exit code, now or later.
  let run: @MainActor (ParsedArguments, @escaping (ExitCode) -> Void) throws -> Void

  @MainActor static let all: [Command] = [.play, .info, .doctor, .thumbnail]

  static let helpOption = OptionSpec("help", letter: "h", "show this help")

  var help: String {
    var text = "usage: sprocket \(usage)\n\n\(summary)\n\noptions:\n"
    let rows = (options + [Self.helpOption]).map { ($0.leftColumn, $0.help) }
    let width = rows.map(\.0.count).max() ?? 0
    for (left, right) in rows {
      text += "  \(left)\(String(repeating: " ", count: width - left.count))  \(right)\n"
    }
    text += "\nexit codes:\n"
    for code in ExitCode.allCases {
      let number = String(code.rawValue)
      text += "  \(number)\(String(repeating: " ", count: 5 - number.count))\(code.meaning)\n"
    }
    return text
  }

  @MainActor static var overview: String {
    let width = all.map(\.name.count).max() ?? 0
    let rows = all.map { "  \($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.summary)" }
    return """
      usage: sprocket COMMAND [OPTION…] [FILE…]

      Plays films and music, tells what is in them and what is wrong with them, and makes pictures of them.

      commands:
      \(rows.joined(separator: "\n"))

      sprocket COMMAND --help tells a command's options; sprocket --version the version.

      """
  }
}

extension OptionSpec {
  fileprivate var leftColumn: String {
    let short = letter.map { "-\($0), " } ?? "    "
    guard let valueName else { return "\(short)--\(name)" }
    return isValueOptional ? "\(short)--\(name)[=\(valueName)]" : "\(short)--\(name) \(valueName)"
  }
}
