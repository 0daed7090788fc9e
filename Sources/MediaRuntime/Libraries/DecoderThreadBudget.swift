/// How many frame threads the process's decoders may have together: cores + 2. Beyond that decoders open with one.
package final class DecoderThreadBudget: Sendable {
  package static let shared = DecoderThreadBudget(limit: RealScheduler.coreCount + 2)

  package let limit: Int
  private let used = Lock(0)

  package init(limit: Int) {
    self.limit = limit
  }

  /// Threads for one decoder; give it back by letting go of it when the decoder is closed.
  package final class Lease: Sendable {
    /// What to set as the decoder's thread count; at least one.
    package let threads: Int
    private let budget: DecoderThreadBudget

    fileprivate init(threads: Int, budget: DecoderThreadBudget) {
      self.threads = threads
      self.budget = budget
    }

    deinit {
      let returned = threads > 1 ? threads : 0
      budget.used.withLock { $0 -= returned }
    }
  }

  /// At most `wanted` threads. A decoder with one thread works on the pool and takes nothing from the budget.
  /// - Parameter scheduler: a virtual one gives one thread, for frame threads are not under its baton.
  package func lease(_ wanted: Int, for scheduler: any Scheduler) -> Lease {
    let granted = used.withLock { used in
      let granted = min(wanted, limit - used)
      guard granted > 1, !scheduler.isVirtual else { return 1 }
      used += granted
      return granted
    }
    return Lease(threads: granted, budget: self)
  }

  /// Threads that are leased now.
  package var leased: Int { used.withLock { $0 } }
}
