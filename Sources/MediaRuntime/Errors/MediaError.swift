/// What went wrong, for a person: a numbered code, a sentence that says what to do, the cause, the address.
///
/// The number's thousands name the stage (DESIGN, Errors), so a log line or an exit code can be read without a table.
package struct MediaError: Error, Sendable, CustomStringConvertible {
  /// A stage's number and a short fixed name that never holds a dynamic value (fit for metrics).
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let number: Int
    package let name: String

    package init(_ number: Int, _ name: String) {
      self.number = number
      self.name = name
    }

    package var stage: Stage { Stage(rawValue: number / 1000) ?? .unknown }
    package var description: String { "\(name) (\(number))" }

    package static func == (left: Code, right: Code) -> Bool { left.number == right.number }
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  package enum Stage: Int, Sendable {
    case unknown = 0
    case source = 1
    case network = 2
    case container = 3
    case decode = 4
    case output = 5
    case playlist = 6
    case cache = 7
    case writing = 8
  }

  package let code: Code
  /// A whole sentence or two: what happened and what the user can do.
  package let message: String
  package let address: String?
  package let cause: (any Error)?

  package init(_ code: Code, _ message: String, address: String? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.address = address
    self.cause = cause
  }

  /// What happened, without what to do about it: all sentences of `message` but the last.
  package var reason: String { sentences.reason }
  /// What the user can do: the last sentence of `message`; nil when it has only one.
  package var remedy: String? { sentences.remedy }

  private var sentences: (reason: String, remedy: String?) {
    guard let last = message.ranges(of: ". ").last else { return (message, nil) }
    return (String(message[..<last.lowerBound]) + ".", String(message[last.upperBound...]))
  }

  package var description: String {
    var text = "\(message) [\(code)]"
    if let address { text += " at \(address)" }
    if let cause { text += ", because: \(cause)" }
    return text
  }
}
