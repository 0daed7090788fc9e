import Synchronization

/// The scheduler's twin for tests: real threads, one baton, virtual time.
///
/// Exactly one step runs at a time. Entries are ordered by (due time, posting order); when nothing is due, time jumps
/// to the next entry. The thread that finishes a step picks the next one itself; a test only says how far to run:
///
///     try await VirtualScheduler.test { scheduler, queue in
///       let player = Player(scheduler)
///       await queue.sleep(.seconds(1))
///       #expect(player.position == 1)
///     }
package final class VirtualScheduler: Scheduler, @unchecked Sendable {
  // Everything mutable is guarded by `mutex`, unless it says otherwise.

  package struct Options: Sendable {
    /// What becomes of a plain `Task { }` that a step or a delivered block starts.
    package enum PlainTasks: Sendable {
      /// Runs on the global pool, unordered.
      case ignore
      /// Ends the run as foreign: for the engine, which must not start any.
      case report
      /// Becomes a step of a queue of the scheduler: for the code of apps.
      case adopt
    }

    /// Parks the main queue between its turns during every run, so that MainActor code runs at fixed points of virtual
    /// time; such runs exclude each other. Otherwise deliveries to main are awaited, and what else runs there is not
    /// ordered: quicker, for tests that have nothing to do with main.
    package var ownsMain = true
    package var plainTasks = PlainTasks.report
    /// Foreign posts end the run; otherwise they are only counted and noted.
    package var strictForeign = true
    /// Steps without time moving, after which the process traps with the last one's name.
    package var maxStepsPerInstant = 100_000
    /// Keeps the trace's lines; its hash is always there.
    package var keepsTrace = false
    /// Confines the scheduler's threads to one CPU.
    package var pinsCPU = true

    package init() {}
  }

  /// Names a scheduler without keeping it.
  struct Owner: Sendable {
    let identifier: ObjectIdentifier
  }

  /// The scheduler of the test that the calling task descends from.
  @TaskLocal static var owner: Owner?

  /// Where the calling thread stands.
  enum Place {
    case step(VirtualQueue)
    case app(AppQueue)
    case main
    /// The test's own thread, while no run is under way.
    case driver
    case foreign

    var label: String {
      switch self {
      case .step(let queue): queue.label
      case .app(let queue): queue.label
      case .main: "main"
      case .driver: "driver"
      case .foreign: "foreign"
      }
    }
  }

  /// What the holder of the baton does next.
  enum Action {
    case step(VirtualQueue, Entry)
    case resume(VirtualWaiter)
    case app(AppQueue, @Sendable () -> Void)
    case main((@Sendable () -> Void)?)
    case begin
    /// The run is over: the baton is back with the driver.
    case finished
  }

  enum MainState: Equatable {
    /// Runs by itself.
    case free
    /// Will be parked when it gets there; nothing else runs until then.
    case parking
    case parked
    /// A run is driven by the thread that serves the main queue.
    case driver
    /// The baton is with the main queue, or a block of it waits at a gate.
    case turn
    /// The test's own main-queue block waits at a gate: nothing else can run there.
    case busy
  }

  struct Run {
    let limit: Int64
    let until: (() -> Bool)?
    let finish: @Sendable (VirtualOutcome) -> Void
  }

  package let isVirtual = true
  package let options: Options
  /// Not zero, lest somebody takes a time for a duration.
  static let start: Int64 = 1_000_000_000_000

  let mutex = PlatformMutex()
  private let clock = Atomic<Int64>(start)
  var number: UInt64 = 0
  var heap = EntryHeap<VirtualItem>()
  var waiting: [VirtualWaiter] = []
  var run: Run?
  var isShuttingDown = false
  var trace: Trace
  var stepsAtInstant = 0
  var stepCount = 0
  var jump: Int64 = 0
  var foreign: ForeignReport?
  var foreignUses = 0

  var idleWorkers: [VirtualWorker] = []
  var workers: [VirtualWorker] = []

  var mainState = MainState.free
  var mainWorker: VirtualWorker?
  var mainBlocker: VirtualWaiter?
  var mainSetAside: [VirtualItem] = []
  /// Turns given to the main queue since anything else ran.
  var mainRounds = 0
  let mainPark = PlatformSemaphore()
  var mainDriver: MainDriver?
  /// The run shall end, but its driver is still inside a wait that has to be given up first.
  var pendingOutcome: VirtualOutcome?
  var appQueues: [ObjectIdentifier: AppQueue] = [:]
  /// Where adopted plain tasks run.
  var adopted: SerialQueue?

  package init(_ options: Options = Options()) {
    self.options = options
    trace = Trace(keepsLines: options.keepsTrace)
    HeldLocks.counting.store(true, ordering: .relaxed)
    _ = AppQueueMark.main
    VirtualSchedulers.add(self)
    if options.plainTasks != .ignore { PlainTaskHook.install() }
  }

  deinit {
    VirtualSchedulers.remove(ObjectIdentifier(self))
    for worker in workers {
      worker.ends = true
      worker.thread?.detach()
      worker.semaphore.post()
    }
    mainPark.destroy()
    mutex.destroy()
  }

  // MARK: Scheduler

  package var now: HostTime { HostTime(nanoseconds: clock.load(ordering: .relaxed)) }

  /// Virtual time since the scheduler was made.
  package var elapsed: Nanoseconds { Nanoseconds(clock.load(ordering: .relaxed) - Self.start) }

  func setClock(_ time: Int64) { clock.store(time, ordering: .relaxed) }

  package func queue(_ label: String, _ kind: SerialQueue.Kind) -> SerialQueue {
    SerialQueue(label: label, kind: kind, core: VirtualQueue(label: label, kind: kind, scheduler: self))
  }

  package func note(_ line: @autoclosure () -> String) {
    let line = line()
    mutex.withLock { trace.add(.note, at: elapsed.count, "", line) }
  }

  /// What the body starts descends from this scheduler's test.
  func owning<Result>(_ body: () -> Result) -> Result {
    Self.$owner.withValue(Owner(identifier: ObjectIdentifier(self)), operation: body)
  }

  // MARK: What happened

  /// Equal in two processes exactly if they did the same in the same order.
  package var traceHash: UInt64 { mutex.withLock { trace.hash } }
  /// With `keepsTrace`: one line per step, wait, wake, delivery and note.
  package var traceLines: [String] { mutex.withLock { trace.lines } }
  /// Steps, wakes and deliveries so far.
  package var steps: Int { mutex.withLock { stepCount } }
  /// The longest time skipped at once: a bound on it finds waits that nobody meant.
  package var longestJump: Nanoseconds { mutex.withLock { Nanoseconds(jump) } }
  /// Uses by foreign threads so far, where `strictForeign` is off.
  package var foreignCount: Int { mutex.withLock { foreignUses } }
  /// Threads that exist now: as many as steps are blocked, and one.
  package var threadCount: Int { mutex.withLock { workers.count } }
}
