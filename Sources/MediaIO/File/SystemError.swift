import Foundation

/// What the operating system said, by its number (`errno`).
package struct SystemError: Error, CustomStringConvertible, Hashable, Sendable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  package var words: String { String(cString: strerror(code)) }
  package var description: String { "\(words) (errno \(code))" }
}
