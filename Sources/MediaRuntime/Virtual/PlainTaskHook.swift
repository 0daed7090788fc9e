import Glibc

/// Sees the jobs that go to Swift's global pool, and takes those that a holder of the baton starts.
///
/// Of the runtime's hooks only this one is called on Linux (Swift 6.3): main-actor jobs and sleeps pass it by.
enum PlainTaskHook {
  private typealias Original = @convention(c) (UnsafeRawPointer) -> Void
  private typealias Hook = @convention(c) (UnsafeRawPointer, Original) -> Void

  private static let installed: Bool = {
    guard let address = dlsym(nil, "swift_task_enqueueGlobal_hook") else {
      Log.runtime.error("Swift's runtime has no swift_task_enqueueGlobal_hook: plain tasks go unseen.")
      return false
    }
    // Pointers pass alike in C's and in Swift's calling convention.
    let hook: Hook = { @Sendable job, original in
      guard let scheduler = scheduler(of: job), scheduler.takePlainTask(unsafeBitCast(job, to: UnownedJob.self))
      else { return original(job) }
    }
    address.assumingMemoryBound(to: Hook?.self).pointee = hook
    return true
  }()

  static func install() {
    TaskOwner.prepare()
    _ = installed
  }

  /// The scheduler of the test that the task descends from; for others, such as detached ones, that of the step or
  /// block that starts them. Tasks of other tests that run on the main queue inside a turn are left alone.
  private static func scheduler(of job: UnsafeRawPointer) -> VirtualScheduler? {
    let thread = ThreadState.current
    if thread.isEndingRun { return nil }
    if let identifier = TaskOwner.identifier(of: job) { return VirtualSchedulers.find(identifier) }
    return thread.holdsBaton ? thread.scheduler.flatMap(VirtualSchedulers.find) : nil
  }
}

extension VirtualScheduler {
  /// True if the job has become a step.
  fileprivate func takePlainTask(_ job: UnownedJob) -> Bool {
    switch options.plainTasks {
    case .ignore: return false
    case .report:
      mutex.withLock { if run != nil { recordForeign(.plainTask, "global pool", "Task") } }
      return false
    case .adopt:
      mutex.lock()
      defer { mutex.unlock() }
      guard !isShuttingDown, run != nil else { return false }
      let queue = adopted ?? queue("adopted tasks", .light)
      adopted = queue
      guard let core = queue.core as? VirtualQueue else { return false }
      let entry = Entry(
        due: now.nanoseconds, number: 0, name: "plain task", ticket: nil, outlivesClose: true,
        work: .plainTask(job, queue))
      insert(now.nanoseconds, .step(core, entry))
      return true
    }
  }

  /// Adopted tasks that did not come up any more go where they would have gone: somebody may await them.
  static func disown(_ items: [VirtualItem]) {
    for item in items {
      guard case .step(_, let entry) = item.entry.target, case .plainTask(let job, _) = entry.work else { continue }
      globalConcurrentExecutor.enqueue(job)
    }
  }
}
