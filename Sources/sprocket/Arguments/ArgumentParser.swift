/// An option as a command declares it.
struct OptionSpec {
  var name: String
  var letter: Character?
  /// Nil for a flag; else the word that stands for the value in the help, such as `TIME`.
  var valueName: String?
  /// The value may be left out (`--loop` beside `--loop=3`); it is then only taken behind `=`.
  var isValueOptional = false
  /// Several of it are joined with commas; else the last one wins.
  var isRepeatable = false
  var help: String

  init(
    _ name: String, letter: Character? = nil, value: String? = nil, isValueOptional: Bool = false,
    isRepeatable: Bool = false, _ help: String
  ) {
    self.name = name
    self.letter = letter
    self.valueName = value
    self.isValueOptional = isValueOptional
    self.isRepeatable = isRepeatable
    self.help = help
  }
}

/// What a command line asked for.
struct ParsedArguments: Equatable {
  var positionals: [String] = []
  /// A flag's value is empty.
  var options: [String: String] = [:]

  mutating func set(_ option: OptionSpec, _ value: String) {
    let before = option.isRepeatable ? options[option.name].map { $0 + "," } ?? "" : ""
    options[option.name] = before + value
  }

  func has(_ name: String) -> Bool { options[name] != nil }
  func value(_ name: String) -> String? { options[name] }
}

/// The command line is wrong: exit code 2 and this sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Splits arguments by a command's options: `--name value`, `--name=value`, `-x value`, `-xy`, `--` ends the options,
/// a lone `-` is a positional.
struct ArgumentParser {
  let options: [OptionSpec]

  func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.positionals.append(contentsOf: rest)
        break
      } else if argument.hasPrefix("--") {
        try parseLong(argument, &rest, into: &parsed)
      } else if argument.hasPrefix("-"), argument != "-" {
        try parseLetters(argument, &rest, into: &parsed)
      } else {
        parsed.positionals.append(argument)
      }
    }
    return parsed
  }

  private func parseLong(
    _ argument: String, _ rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
  ) throws(UsageError) {
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard let option = options.first(where: { $0.name == name }) else {
      let known = options.map(\.name)
      let hint = nearestWord(to: name, among: known).map { " Did you mean --\($0)?" } ?? ""
      throw UsageError("Unknown option --\(name).\(hint)")
    }
    let inline = parts.count > 1 ? String(parts[1]) : nil
    parsed.set(option, try value(of: option, shown: "--\(name)", inline: inline, &rest))
  }

  private func parseLetters(
    _ argument: String, _ rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
  ) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.letter == letter }) else {
        let place = argument.count > 2 ? " in \(argument)" : ""
        throw UsageError("Unknown option -\(letter)\(place). A file whose name begins with - is given behind --.")
      }
      if option.valueName != nil, !letters.isEmpty {
        parsed.set(option, String(letters))
        return
      }
      parsed.set(option, try value(of: option, shown: "-\(letter)", inline: nil, &rest))
    }
  }

  private func value(
    of option: OptionSpec, shown: String, inline: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let valueName = option.valueName else {
      if inline != nil { throw UsageError("\(shown) takes no value.") }
      return ""
    }
    if inline == nil, option.isValueOptional { return "" }
    guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
      let form = option.isValueOptional ? "\(shown)=\(valueName), or \(shown) alone" : "\(shown) \(valueName)"
      throw UsageError("\(shown) needs a value: \(form).")
    }
    return value
  }
}

/// The known word that a mistyped one most likely meant; nil when none is close.
func nearestWord(to word: String, among known: [String]) -> String? {
  let ranked = known.map { ($0, editDistance(word, $0)) }.min { $0.1 < $1.1 }
  guard let (best, distance) = ranked, distance <= max(best.count / 3, 1) else { return nil }
  return best
}

/// Insertions, deletions, substitutions and swaps of neighbours between two words (optimal string alignment).
func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left)
  let right = Array(right)
  var before: [Int] = []
  var row = Array(0...right.count)
  for i in left.indices {
    var next = [i + 1]
    for j in right.indices {
      var distance = min(row[j] + (left[i] == right[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { distance = min(distance, before[j - 1] + 1) }
      next.append(distance)
    }
    before = row
    row = next
  }
  return row[right.count]
}
