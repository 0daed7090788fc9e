/// One piece of work on a queue.
struct Entry: HeapOrdered {
  enum Work {
    case closure(@Sendable () -> Void)
    /// A job of Swift's concurrency runtime; the queue is kept alive because the job names it as its executor.
    case job(UnownedJob, SerialQueue)
    /// A job that was on its way to Swift's global pool.
    case plainTask(UnownedJob, SerialQueue)
  }

  var due: Int64
  var number: UInt64
  let name: String
  let ticket: Ticket?
  /// Jobs and sleepers run even when their queue has been closed: a task that is never resumed would leak.
  let outlivesClose: Bool
  let work: Work

  var isCancelled: Bool { ticket?.isCancelled ?? false }

  func run() {
    switch work {
    case .closure(let body): body()
    case .job(let job, let queue):
      job.runSynchronously(
        isolatedTo: queue.asUnownedSerialExecutor(), taskExecutor: queue.asUnownedTaskExecutor())
    case .plainTask(let job, let queue):
      job.runSynchronously(on: queue.asUnownedTaskExecutor())
    }
  }
}
