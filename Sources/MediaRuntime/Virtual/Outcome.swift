/// Why a virtual run stopped.
package enum VirtualOutcome: Sendable, CustomStringConvertible {
  /// `until` became true.
  case condition
  /// The limit was reached.
  case limit
  /// Nothing is left to do and nobody waits at a gate.
  case idle
  /// Nothing is left to do, yet somebody waits.
  case deadlock(DeadlockReport)
  /// A thread that the scheduler does not order has posted, signalled or waited.
  case foreign(ForeignReport)

  package var description: String {
    switch self {
    case .condition: "the condition held"
    case .limit: "the limit was reached"
    case .idle: "nothing was left to do (what was awaited is outside virtual time, such as Task.sleep)"
    case .deadlock(let report): report.description
    case .foreign(let report): report.description
    }
  }
}

/// A virtual run ended otherwise than its test wanted.
package struct VirtualStop: Error, CustomStringConvertible {
  package let outcome: VirtualOutcome

  package var description: String { "Virtual run stopped: \(outcome)" }
}

/// Who waits for what when nothing is left to do.
package struct DeadlockReport: Sendable, CustomStringConvertible {
  package struct Wait: Sendable {
    /// The queue whose step waits; “main”, an app queue's label, or “driver”.
    package let queue: String
    package let gate: String
    package let why: String
    /// Since the scheduler's start.
    package let since: Nanoseconds
    /// The condition holds: somebody changed the state and did not signal.
    package let conditionHolds: Bool
    /// Names of the entries that are set aside until the queue goes on.
    package let behind: [String]
  }

  package let time: Nanoseconds
  package let waits: [Wait]

  package var description: String {
    waits.reduce("Deadlock at \(Trace.milliseconds(time.count)) ms, nothing is left to do:") { text, wait in
      var line = "\n  “\(wait.queue)” waits at gate “\(wait.gate)” for \(wait.why)"
      line += " since \(Trace.milliseconds(wait.since.count)) ms"
      if wait.conditionHolds { line += "; its condition HOLDS: nobody signalled" }
      if !wait.behind.isEmpty { line += "; behind it: \(wait.behind.joined(separator: ", "))" }
      return text + line
    }
  }
}

/// A thread that neither ran a step nor an app queue's turn has used the scheduler during a run.
package struct ForeignReport: Sendable, CustomStringConvertible {
  package enum Action: String, Sendable {
    case post, signal, wait
    case plainTask = "plain task"
  }

  package let action: Action
  /// The queue or gate.
  package let target: String
  /// The entry's name, or what was waited for.
  package let name: String
  package let thread: String
  package let onMainQueue: Bool
  package let time: Nanoseconds
  package let stack: [String]

  package var description: String {
    var text = "Foreign \(action.rawValue) “\(name)” on “\(target)” at \(Trace.milliseconds(time.count)) ms"
    text += " from \(onMainQueue ? "the main queue, " : "")thread “\(thread)”"
    if action == .plainTask {
      text += ": start tasks through a queue's `task`, or let the scheduler adopt plain tasks"
    } else if onMainQueue {
      text += ": let the scheduler own the main queue"
    }
    return text + stack.map { "\n    \($0)" }.joined()
  }
}
