internal import Dispatch

/// How a test moves virtual time.
extension VirtualScheduler {
  // MARK: Synchronous

  /// Runs until the condition holds, the limit is reached, or nothing is left to do. The calling thread sleeps.
  /// - Parameters:
  ///   - limit: how far time may move; nil is without limit.
  ///   - until: looked at after every step, on whatever thread has the baton.
  @discardableResult
  package func run(limit: Nanoseconds? = nil, until: (() -> Bool)? = nil) -> VirtualOutcome {
    drive(until: deadline(limit), condition: until, mainIsBusy: false)
  }

  /// Runs for so long and leaves time there, whether or not something was left to do.
  @discardableResult
  package func advance(by duration: Nanoseconds) -> VirtualOutcome {
    let end = deadline(duration)
    return arrive(at: end, run(limit: duration))
  }

  /// Runs an asynchronous test body as a task of a virtual queue, to its end.
  /// - Throws: what the body throws, or a `VirtualStop` if it cannot end.
  package func runTest<Success: Sendable>(
    limit: Nanoseconds? = nil, _ body: @escaping @Sendable (SerialQueue) async throws -> Success
  ) throws -> Success {
    let test = start(body)
    return try test.result(run(limit: limit, until: { test.isDone }))
  }

  // MARK: Asynchronous

  /// `run` for asynchronous tests, those on the main actor among them: the calling task is suspended meanwhile.
  @discardableResult
  nonisolated(nonsending) package func drive(
    limit: Nanoseconds? = nil, until: (@Sendable () -> Bool)? = nil
  ) async -> VirtualOutcome {
    let deadline = deadline(limit)
    return await withCheckedContinuation { continuation in
      begin(Run(limit: deadline, until: until) { continuation.resume(returning: $0) })
      hand(.begin)
    }
  }

  /// `advance(by:)` for asynchronous tests.
  @discardableResult
  nonisolated(nonsending) package func drive(by duration: Nanoseconds) async -> VirtualOutcome {
    let end = deadline(duration)
    return arrive(at: end, await drive(limit: duration))
  }

  /// Runs an asynchronous test body as a task of a virtual queue, to its end.
  /// - Throws: what the body throws, or a `VirtualStop` if it cannot end.
  nonisolated(nonsending) package func runTest<Success: Sendable>(
    limit: Nanoseconds? = nil, _ body: @escaping @Sendable (SerialQueue) async throws -> Success
  ) async throws -> Success {
    let test = start(body)
    return try test.result(await drive(limit: limit, until: { test.isDone }))
  }

  /// A scheduler for one test: runs the body and shuts down, also when the body throws.
  @discardableResult
  nonisolated(nonsending) package static func test<Success: Sendable>(
    _ options: Options = Options(), limit: Nanoseconds? = nil,
    _ body: @escaping @Sendable (VirtualScheduler, SerialQueue) async throws -> Success
  ) async throws -> Success {
    let scheduler = VirtualScheduler(options)
    defer { scheduler.shutdown() }
    return try await scheduler.runTest(limit: limit) { try await body(scheduler, $0) }
  }

  /// A scheduler for one test whose body is on the main actor and moves time by `await scheduler.drive(…)`.
  ///
  /// Plain tasks that the body or what it makes start count as the test's, so they can be adopted.
  @MainActor @discardableResult
  package static func mainActorTest<Success: Sendable>(
    _ options: Options = Options(), _ body: @MainActor (VirtualScheduler) async throws -> Success
  ) async rethrows -> Success {
    let scheduler = VirtualScheduler(options)
    defer { scheduler.shutdown() }
    return try await $owner.withValue(Owner(identifier: ObjectIdentifier(scheduler))) { try await body(scheduler) }
  }

  // MARK: Threads of the test

  /// The calling thread is a test's own: it reads this scheduler's time, and what it posts is never foreign.
  package func adopt() { ThreadState.current.scheduler = ObjectIdentifier(self) }

  package func release() {
    let thread = ThreadState.current
    if thread.scheduler == ObjectIdentifier(self) { thread.scheduler = nil }
  }

  // MARK: The end

  /// Releases every wait as aborted, drops what is posted, and ends the threads. No run may be under way.
  package func shutdown() {
    mutex.lock()
    guard !isShuttingDown else { return mutex.unlock() }
    isShuttingDown = true
    let somebodyWaits = !waiting.isEmpty
    mutex.unlock()
    if somebodyWaits {
      drive(until: .max, condition: nil, mainIsBusy: AppQueueMark.current === AppQueueMark.main)
    }
    mutex.lock()
    let items = heap.removeAll()
    let dropped = (items, mainSetAside, appQueues, adopted)
    mainSetAside = []
    appQueues = [:]
    adopted = nil
    let ended = workers
    workers = []
    idleWorkers = []
    mutex.unlock()
    for worker in ended {
      worker.ends = true
      worker.semaphore.post()
      worker.thread?.join()
    }
    VirtualSchedulers.remove(ObjectIdentifier(self))
    Self.disown(items)
    withExtendedLifetime(dropped) {}
  }

  // MARK: Inside

  private func deadline(_ limit: Nanoseconds?) -> Int64 { limit.map { due(after: $0) } ?? .max }

  private func arrive(at end: Int64, _ outcome: VirtualOutcome) -> VirtualOutcome {
    if end > now.nanoseconds {
      switch outcome {
      case .idle, .deadlock: setClock(end)
      case .condition, .limit, .foreign: break
      }
    }
    return outcome
  }

  private func start<Success: Sendable>(
    _ body: @escaping @Sendable (SerialQueue) async throws -> Success
  ) -> VirtualTest<Success> {
    let test = VirtualTest<Success>()
    let queue = queue("test", .light)
    queue.task("test") {
      do {
        test.finish(.success(try await body(queue)))
      } catch {
        test.finish(.failure(error))
      }
    }
    return test
  }

  private func begin(_ run: Run, mainState: MainState? = nil) {
    mutex.lock()
    defer { mutex.unlock() }
    if self.mainState == .free { self.mainState = mainState ?? (options.ownsMain ? .parking : .free) }
    if self.run != nil { trap("A virtual run was started while another one of the same scheduler is under way.") }
    self.run = run
    mainRounds = 0
  }

  @discardableResult
  private func drive(until deadline: Int64, condition: (() -> Bool)?, mainIsBusy: Bool) -> VirtualOutcome {
    if ThreadState.current.holdsBaton { trap("A virtual run was started from within a step.") }
    let onMain = AppQueueMark.current === AppQueueMark.main
    let driver = MainDriver()
    if onMain, !mainIsBusy {
      guard MainDriver.isServingThread else { trap(MainDriver.advice) }
      MainDriver.checkIsOutsideMainQueueBlocks()
    }
    let run = Run(limit: deadline, until: condition) { outcome in
      driver.outcome = outcome
      driver.semaphore.post()
    }
    if onMain, !mainIsBusy { mainDriver = driver }
    begin(run, mainState: onMain ? (mainIsBusy ? .busy : .driver) : nil)
    hand(.begin)
    while true {
      driver.semaphore.wait()
      if let outcome = driver.outcome { return outcome }
      MainDriver.drain()
      AppQueueMark.main.end(of: self)
      let worker = mutex.withLock { () -> VirtualWorker? in
        defer { mainWorker = nil }
        return mainWorker
      }
      worker?.semaphore.post()
    }
  }

  /// The test's own thread has called something synchronous that waits: runs until the gate is signalled.
  func driveWait(_ waiter: VirtualWaiter, isSignalled: @escaping () -> Bool) -> VirtualOutcome {
    drive(
      until: waiter.deadline?.nanoseconds ?? .max, condition: isSignalled,
      mainIsBusy: AppQueueMark.current === AppQueueMark.main)
  }
}

/// The result of an asynchronous test body.
private final class VirtualTest<Success: Sendable>: Sendable {
  private let state = Lock<Result<Success, any Error>?>(nil)

  var isDone: Bool { state.withLock { $0 != nil } }

  func finish(_ result: Result<Success, any Error>) { state.withLock { $0 = result } }

  func result(_ outcome: VirtualOutcome) throws -> Success {
    guard case .condition = outcome, let result = state.withLock({ $0 }) else { throw VirtualStop(outcome: outcome) }
    return try result.get()
  }
}
