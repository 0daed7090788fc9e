import MediaRuntime

/// Collects what happened, from any thread.
final class Recorder<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  func add(_ element: Element) { elements.withLock { $0.append(element) } }
  var all: [Element] { elements.withLock { $0 } }
  var count: Int { all.count }
}

extension VirtualScheduler {
  /// Milliseconds since the start, for comparisons that read well.
  var milliseconds: Double { Double(elapsed.count) / 1_000_000 }

  static func keepingTrace(_ change: (inout Options) -> Void = { _ in }) -> VirtualScheduler {
    var options = Options()
    options.keepsTrace = true
    change(&options)
    return VirtualScheduler(options)
  }
}

extension VirtualOutcome {
  var deadlock: DeadlockReport? { if case .deadlock(let report) = self { report } else { nil } }
  var foreign: ForeignReport? { if case .foreign(let report) = self { report } else { nil } }
  var isIdle: Bool { if case .idle = self { true } else { false } }
  var isLimit: Bool { if case .limit = self { true } else { false } }
  var isCondition: Bool { if case .condition = self { true } else { false } }
}
