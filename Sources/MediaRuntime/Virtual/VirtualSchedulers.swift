internal import CoreMedia

/// The virtual schedulers that live, and the one whose time the calling thread is on.
enum VirtualSchedulers {
  private struct Weak {
    weak var scheduler: VirtualScheduler?
  }

  private static let alive = Lock<[(ObjectIdentifier, Weak)]>([])

  static func add(_ scheduler: VirtualScheduler) {
    RuntimeHostTime.install()
    let entry = (ObjectIdentifier(scheduler), Weak(scheduler: scheduler))
    alive.withLock { $0.append(entry) }
  }

  static func remove(_ identifier: ObjectIdentifier) {
    alive.withLock { $0.removeAll { $0.0 == identifier } }
  }

  static func find(_ identifier: ObjectIdentifier) -> VirtualScheduler? {
    alive.withLock { alive in alive.first { $0.0 == identifier }?.1.scheduler }
  }

  static var newest: VirtualScheduler? {
    alive.withLock { alive in alive.last { $0.1.scheduler != nil }?.1.scheduler }
  }

  /// The scheduler that has given the baton to the calling thread.
  ///
  /// On the main queue other tests' tasks may run inside a turn; what they do is not this scheduler's.
  static var holder: VirtualScheduler? {
    let thread = ThreadState.current
    if thread.holdsBaton, let identifier = thread.scheduler { return find(identifier) }
    if let owner = VirtualScheduler.owner, let scheduler = find(owner.identifier) { return scheduler }
    guard thread.role == .foreign, let mark = AppQueueMark.current else { return nil }
    return mark.holder
  }

  /// The scheduler whose time the calling thread reads: the one that runs or has adopted it, else the newest.
  static var current: VirtualScheduler? {
    if let holder { return holder }
    if let identifier = ThreadState.current.scheduler, let scheduler = find(identifier) { return scheduler }
    return newest
  }
}

/// CoreMedia's host time: virtual wherever a virtual scheduler is at work, else the monotonic clock.
struct RuntimeHostTime: HostTimeSource {
  private static let installed: Void = {
    HostTimeSources.current = RuntimeHostTime()
  }()

  static func install() { installed }

  var nanoseconds: Int64 {
    VirtualSchedulers.current?.now.nanoseconds ?? RealScheduler.clock()
  }
}
