import Glibc
import MediaRuntime

/// The sound files being written: when the process exits, what was heard until then goes into them first.
///
/// A counted device hands over what was heard when somebody looks at it, and the file is written on a queue: a program that
/// exits at the end of an item would lose the last seconds.
enum OpenCaptures {
  private struct Entry {
    weak var sink: WAVCaptureSink?
    let scheduler: any Scheduler
  }

  private static let entries = Lock<[Entry]?>(nil)
  /// A disk that hangs does not keep the process.
  private static let limit = Nanoseconds.seconds(5 as Int64)

  static func add(_ sink: WAVCaptureSink, _ scheduler: any Scheduler) {
    guard !scheduler.isVirtual else { return }
    let isFirst = entries.withLock { entries -> Bool in
      defer { entries = (entries ?? []).filter { $0.sink != nil } + [Entry(sink: sink, scheduler: scheduler)] }
      return entries == nil
    }
    if isFirst { atexit { @Sendable in OpenCaptures.finish() } }
  }

  /// A closed one writes no more than is on its way.
  static func remove(_ sink: WAVCaptureSink) {
    entries.withLock { entries in entries = entries?.filter { $0.sink !== sink } }
  }

  private static func finish() {
    for entry in entries.withLock({ $0 ?? [] }) {
      guard let sink = entry.sink else { continue }
      let gate = Gate(entry.scheduler, "sound file", false)
      sink.flush { gate.withLock(signal: true) { $0 = true } }
      _ = gate.wait("the sound file", deadline: entry.scheduler.now + limit, ready: { $0 }, take: { _ in })
    }
  }
}
