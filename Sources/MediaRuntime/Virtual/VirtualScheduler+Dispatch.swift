internal import Dispatch
import Foundation

/// Turns of the app's queues and of the main queue.
extension VirtualScheduler {
  /// The baton goes to an app's queue: the block, then a marker behind what the block has posted to its own queue.
  func turn(of appQueue: AppQueue, _ work: @escaping @Sendable () -> Void, _ worker: VirtualWorker) {
    let identifier = ObjectIdentifier(self)
    let mark = AppQueueMark.of(appQueue.queue)
    mutex.withLock { appQueue.captured = worker }
    appQueue.queue.async {
      mark.begin(AppQueueMark.Turn(scheduler: appQueue.scheduler, appQueue: appQueue))
      let thread = ThreadState.current
      let before = (thread.scheduler, thread.holdsBaton, thread.appQueue)
      (thread.scheduler, thread.holdsBaton, thread.appQueue) = (identifier, true, appQueue)
      appQueue.scheduler.owning(work)
      (thread.scheduler, thread.holdsBaton, thread.appQueue) = before
      appQueue.queue.async(flags: .barrier) {
        mark.end(of: appQueue.scheduler)
        let worker = appQueue.scheduler.mutex.withLock { () -> VirtualWorker? in
          defer { appQueue.captured = nil }
          return appQueue.captured
        }
        worker?.semaphore.post()
      }
    }
    worker.semaphore.wait()
  }

  /// The baton goes to the main queue: what is queued there runs, and `work` behind it.
  func mainTurn(_ work: (@Sendable () -> Void)?, _ worker: VirtualWorker) {
    mutex.lock()
    mainWorker = worker
    if let driver = mainDriver {
      mutex.unlock()
      if let work { DispatchQueue.main.async { [self] in runOnMain(work) } }
      AppQueueMark.main.begin(AppQueueMark.Turn(scheduler: self, appQueue: nil))
      driver.semaphore.post()
    } else {
      let wasParked = mainState == .parked
      mainState = wasParked ? .turn : .parking
      mutex.unlock()
      if let work {
        // As an operation: where another thread than the main one serves the main queue, Foundation knows by this alone
        // that a notification for an observer on `OperationQueue.main` is posted there. It would wait for itself.
        OperationQueue.main.addOperation { [self] in
          DispatchQueue.main.async { [self] in park() }
          runOnMain(work)
        }
      } else {
        DispatchQueue.main.async { [self] in park() }
      }
      if wasParked {
        AppQueueMark.main.begin(AppQueueMark.Turn(scheduler: self, appQueue: nil))
        mainPark.post()
      }
    }
    worker.semaphore.wait()
  }

  private func runOnMain(_ work: @escaping @Sendable () -> Void) {
    let thread = ThreadState.current
    let before = (thread.scheduler, thread.holdsBaton)
    (thread.scheduler, thread.holdsBaton) = (ObjectIdentifier(self), true)
    owning(work)
    (thread.scheduler, thread.holdsBaton) = before
  }

  /// Occupies the main queue until its next turn or the end of the run. Runs on the main queue, with the baton.
  private func park() {
    AppQueueMark.main.end(of: self)
    mutex.lock()
    mainState = .parked
    let worker = mainWorker
    mainWorker = nil
    mutex.unlock()
    worker?.semaphore.post()
    mainPark.wait()
  }
}
