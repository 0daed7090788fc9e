import Glibc
import Synchronization

/// All categories, their levels, and the place that lines go to.
package final class LogRegistry: Sendable {
  package static let shared = LogRegistry(
    filter: LogFilter(getenv("SPROCKET_LOG").map { String(cString: $0) } ?? ""), output: writeToStandardError)

  private struct State: Sendable {
    var filter: LogFilter
    var categories: [String: Log.Category] = [:]
    var output: @Sendable (String) -> Void
  }

  private let state: Lock<State>

  package init(filter: LogFilter, output: @escaping @Sendable (String) -> Void) {
    state = Lock(State(filter: filter, output: output))
    for part in filter.rejected {
      output("sprocket: SPROCKET_LOG: “\(Self.escaped(part))” is neither a level nor category:level.\n")
    }
  }

  package func category(_ name: String) -> Log.Category {
    state.withLock { state in
      if let category = state.categories[name] { return category }
      let category = Log.Category(name: name, level: state.filter.level(of: name))
      state.categories[name] = category
      return category
    }
  }

  package func configure(_ text: String) -> [String] {
    let filter = LogFilter(text)
    state.withLock { state in
      state.filter = filter
      for (name, category) in state.categories {
        category.threshold.store(filter.level(of: name).rawValue, ordering: .relaxed)
      }
    }
    return filter.rejected
  }

  package func write(_ level: Log.Level, _ category: String, _ message: String) {
    let output = state.withLock { $0.output }
    let milliseconds = RealScheduler.clock() / 1_000_000
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    output("\(milliseconds / 1000).\(fraction) \(level) \(category): \(Self.escaped(message))\n")
  }

  /// Titles and addresses come from strangers: no control character reaches a terminal, no message spans two lines.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.steersText) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      result += scalar.steersText ? scalar.escaped(asASCII: true) : String(scalar)
    }
  }
}
