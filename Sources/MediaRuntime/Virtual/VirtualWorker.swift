/// One thread of a virtual scheduler. It runs step after step of whatever queue is next while it has the baton.
///
/// Queues have no threads of their own: only a step that blocks at a gate keeps its thread, and the baton then goes to
/// another worker. So there are as many threads as steps are blocked at once, and one more.
final class VirtualWorker: @unchecked Sendable {
  // `assignment` and `ends` are written before the semaphore is posted and read after it was waited for.
  let semaphore = PlatformSemaphore()
  var assignment: VirtualScheduler.Action?
  var ends = false
  /// Set by the creator under the scheduler's mutex, used by `shutdown` alone.
  var thread: PlatformThread?

  deinit { semaphore.destroy() }
}
