/// One wait at a gate on virtual time.
final class VirtualWaiter: @unchecked Sendable {
  // Guarded by the scheduler's mutex, but for `isSignalled` (by the gate's) and what never changes.

  let gate: String
  let why: String
  let deadline: HostTime?
  let semaphore = PlatformSemaphore()
  var since = HostTime.zero
  var place = VirtualScheduler.Place.driver
  /// The wait has ended: entries that still name it are void.
  var isDone = false
  var isAborted = false
  /// A wake entry is under way; further signals add nothing.
  var isSignalled = false
  /// Whether its condition holds now, for the deadlock report. Cleared at the end, for entries outlive the wait.
  var holds: (@Sendable () -> Bool)?

  init(gate: String, why: String, deadline: HostTime?, holds: @escaping @Sendable () -> Bool) {
    self.gate = gate
    self.why = why
    self.deadline = deadline
    self.holds = holds
  }

  deinit { semaphore.destroy() }
}
