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
      guard let scheduler = VirtualSchedulers.holder else { return original(job) }
      if !scheduler.takePlainTask(unsafeBitCast(job, to: UnownedJob.self)) { original(job) }
    }
    address.assumingMemoryBound(to: Hook?.self).pointee = hook
    return true
  }()

  static func install() { _ = installed }
}

extension VirtualScheduler {
  /// True if the job has become a step.
  fileprivate func takePlainTask(_ job: UnownedJob) -> Bool {
    switch options.plainTasks {
    case .ignore: return false
    case .report:
      mutex.withLock { recordForeign(.plainTask, "global pool", "Task") }
      return false
    case .adopt:
      adopted.core.post(
        "plain task", after: .zero, ticket: nil, outlivesClose: true,
        work: .closure { [adopted] in job.runSynchronously(on: adopted.asUnownedTaskExecutor()) })
      return true
    }
  }
}
