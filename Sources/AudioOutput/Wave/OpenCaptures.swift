import Glibc
package import MediaRuntime

/// The sound files being written: when the process exits, what was heard until then goes into them first.
///
/// A counted device hands over what was heard when somebody looks at it, and the file is written on a queue: a program that
/// exits at the end of an item would lose the last seconds.
package enum OpenCaptures {
  private struct Entry {
    weak var sink: WAVCaptureSink?
    let writer: WaveWriter
    let scheduler: any Scheduler
  }

  private static let entries = Lock<[Entry]?>(nil)
  private static let failures = Lock(Failures())

  private struct Failures {
    var first: MediaError?
    var handler: (@Sendable (MediaError) -> Void)?
  }

  /// Called once, on an engine queue, when a sound file can't be written any more.
  package static func whenFailed(_ handler: @escaping @Sendable (MediaError) -> Void) {
    failures.withLock { $0.handler = handler }
  }

  static func failed(_ error: MediaError) {
    let handler = failures.withLock { failures in
      failures.first = failures.first ?? error
      defer { failures.handler = nil }
      return failures.handler
    }
    handler?(error)
  }

  /// Waits until all that was heard stands in its file, some seconds at most.
  /// - Returns: why a file is not whole.
  package static func settle() -> MediaError? {
    finish()
    return failures.withLock { $0.first }
  }

  /// A disk that hangs does not keep the process.
  private static let limit = Nanoseconds.seconds(5 as Int64)

  static func add(_ sink: WAVCaptureSink, _ writer: WaveWriter, _ scheduler: any Scheduler) {
    guard !scheduler.isVirtual else { return }
    let isFirst = entries.withLock { entries -> Bool in
      defer { entries = (entries ?? []) + [Entry(sink: sink, writer: writer, scheduler: scheduler)] }
      return entries == nil
    }
    if isFirst { atexit { @Sendable in OpenCaptures.finish() } }
  }

  /// Everything stands in the file, which grows no more. Closing the sink is not enough: steps are on their way then.
  static func remove(_ writer: WaveWriter) {
    entries.withLock { entries in entries = entries?.filter { $0.writer !== writer } }
  }

  private static func finish() {
    for entry in entries.withLock({ $0 ?? [] }) {
      let gate = Gate(entry.scheduler, "sound file", false)
      let done: @Sendable () -> Void = { gate.withLock(signal: true) { $0 = true } }
      if let sink = entry.sink { sink.flush(done) } else { entry.writer.flush(done) }
      _ = gate.wait("the sound file", deadline: entry.scheduler.now + limit, ready: { $0 }, take: { _ in })
    }
  }
}
