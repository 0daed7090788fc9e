import Foundation
import MediaRuntime

/// A value for JSON output; written with sorted keys, on one line.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// One line of JSON; numbers that are not finite become null, as JSON has none.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value): value.isFinite ? Self.shortest(value) : "null"
    case .string(let value): Self.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",")
        + "}"
    }
  }

  private static func shortest(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }

  /// JSON as another writer made it, on one line, with nothing in its strings that could steer a terminal.
  static func harmless(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: \.steersText) else { return json }
    return json.unicodeScalars.reduce(into: "") { $0 += $1.steersText ? escape($1) : String($1) }
  }

  /// All that steers lies below U+10000: four digits do.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }

  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.steersText: out += escape(scalar)
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
