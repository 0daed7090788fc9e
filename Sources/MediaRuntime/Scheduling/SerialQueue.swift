/// A named serial queue of a scheduler: work runs one entry at a time in the order (due time, posting order).
///
/// It is an executor too: an actor names it as its `unownedExecutor`, and `task` runs an async function on it.
/// Dropping the last reference needs no `close`: what was posted still runs, then nothing of the queue is left.
package final class SerialQueue: SerialExecutor, TaskExecutor, Sendable {
  package enum Kind: Sendable {
    /// Never waits; shares the pool of `cores` threads.
    case light
    /// As `light`, but goes before the other queues that are ready: the step that feeds the audio device.
    case urgent
    /// May wait at a `Gate`; leases a thread of its own while it has work.
    case blocking
  }

  package let label: String
  package let kind: Kind
  let core: any QueueCore

  init(label: String, kind: Kind, core: any QueueCore) {
    self.label = label
    self.kind = kind
    self.core = core
  }

  /// Posts a step.
  /// - Parameters:
  ///   - name: what it does; shown in traces and in reports of deadlocks and foreign posts.
  ///   - after: due this long from now; negative values count as zero.
  ///   - ticket: cancels the entry as long as it has not begun.
  package func post(
    _ name: String, after delay: Nanoseconds = .zero, ticket: Ticket? = nil, _ work: @escaping @Sendable () -> Void
  ) {
    core.post(name, after: delay, ticket: ticket, outlivesClose: false, work: .closure(work))
  }

  /// Suspends the calling task until this long from now and resumes it through this queue.
  nonisolated(nonsending) package func sleep(_ duration: Nanoseconds) async {
    await withUnsafeContinuation { continuation in
      core.post("sleep", after: duration, ticket: nil, outlivesClose: true, work: .closure { continuation.resume() })
    }
  }

  /// Starts an async function on this queue, in the caller's place in the order of posts.
  @discardableResult
  package func task<Success: Sendable>(
    _ name: String, _ body: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    core.owning { Task(name: name, executorPreference: self) { await body() } }
  }

  /// Takes no further work: what is due still runs, timers are dropped, sleepers wake at once. Tasks still finish.
  package func close() { core.close() }

  /// True inside a step of this queue.
  package var isCurrent: Bool { ThreadState.current.queue === core }

  package func enqueue(_ job: consuming ExecutorJob) {
    core.post("job", after: .zero, ticket: nil, outlivesClose: true, work: .job(UnownedJob(job), self))
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
  package func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  package func checkIsolated() {
    precondition(isCurrent, "Expected to run on the queue “\(label)”.")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

/// What a scheduler keeps of a queue.
protocol QueueCore: AnyObject, Sendable {
  var label: String { get }
  var kind: SerialQueue.Kind { get }
  func post(_ name: String, after delay: Nanoseconds, ticket: Ticket?, outlivesClose: Bool, work: Entry.Work)
  func close()
  /// Lets what is started inside know which scheduler's test it belongs to.
  func owning<Result>(_ body: () -> Result) -> Result
}
