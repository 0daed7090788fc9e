package import MediaEngine
package import MediaRuntime

/// When a server is asked what it plays: often after a change, then at intervals that double up to a limit.
///
/// Nothing that is written restarts it, so the questions of steady state are few and counted by the clock alone. A thread
/// that is awake for another reason asks early instead of waking once more.
package struct TimingSchedule: Sendable {
  /// When to ask next; nil while an answer is awaited, or at rest.
  package private(set) var due: HostTime?
  /// Between the answer before and `due`.
  package private(set) var interval = Self.shortest

  package static let shortest = Nanoseconds.milliseconds(10)
  /// While something is awaited that only an answer can tell: a start.
  package static let whileAwaiting = Nanoseconds.milliseconds(40)

  package init() {}

  /// The longest interval in steady state. A film's picture follows the clock, sound alone has only itself.
  package static func limit(_ mode: AudioLatencyMode) -> Nanoseconds {
    mode == .interactive ? .milliseconds(200) : .milliseconds(2000)
  }

  /// Something has changed.
  package mutating func restart(at now: HostTime) {
    interval = Self.shortest
    due = now + interval
  }

  package mutating func rest() { due = nil }

  /// A question is under way.
  package mutating func asked() { due = nil }

  /// An answer has come, or a question could not be asked.
  package mutating func answered(at now: HostTime, limit: Nanoseconds) {
    // Restarted while the question was under way.
    guard due == nil else { return }
    interval = min(interval + interval, limit)
    due = now + interval
  }

  /// Whether whoever is awake at `now` is to ask: half of the interval is over.
  package func isWorthAsking(at now: HostTime) -> Bool {
    guard let due else { return false }
    return (due - now).count <= interval.count / 2
  }
}
