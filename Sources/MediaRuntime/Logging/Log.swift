import Glibc
import Synchronization

/// A category of the log. A message whose level is off costs one relaxed load; its text is not built.
///
///     extension Log { package static let demux = Log("demux") }
///     Log.demux.debug("track \(index) has no index")
///
/// `SPROCKET_LOG=debug` sets every category, `SPROCKET_LOG=demux:trace,network:debug,warning` some of them.
/// Whole lines go to stderr. Not for the audio device's thread.
package struct Log: Sendable {
  package enum Level: Int, Comparable, CaseIterable, Sendable {
    case off, error, warning, info, debug, trace

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    package init?(name: Substring) {
      guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
      self = level
    }
  }

  package static let runtime = Log("runtime")

  /// One per name, however many `Log` values there are.
  package final class Category: Sendable {
    package let name: String
    let threshold: Atomic<Int>

    init(name: String, level: Level) {
      self.name = name
      threshold = Atomic(level.rawValue)
    }
  }

  private let category: Category

  private let registry: LogRegistry

  package init(_ category: String) { self.init(category, in: .shared) }

  package init(_ category: String, in registry: LogRegistry) {
    self.registry = registry
    self.category = registry.category(category)
  }

  @inline(__always)
  package func isEnabled(_ level: Level) -> Bool {
    category.threshold.load(ordering: .relaxed) >= level.rawValue
  }

  @inline(__always)
  package func write(_ level: Level, _ message: () -> String) {
    if isEnabled(level) { registry.write(level, category.name, message()) }
  }

  package func error(_ message: @autoclosure () -> String) { write(.error, message) }
  package func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  package func info(_ message: @autoclosure () -> String) { write(.info, message) }
  package func debug(_ message: @autoclosure () -> String) { write(.debug, message) }
  package func trace(_ message: @autoclosure () -> String) { write(.trace, message) }

  /// Sets the levels anew, as `SPROCKET_LOG` does at start; unknown parts are left out and returned.
  @discardableResult
  package static func configure(_ text: String) -> [String] { LogRegistry.shared.configure(text) }
}
