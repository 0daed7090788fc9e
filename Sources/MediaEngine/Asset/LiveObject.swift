internal import MediaRuntime

/// Counts the objects of a kind that are alive, so that tests can show that nothing is left after closing.
package final class LiveObject: Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case asset, openedMedia, itemPipeline, driver, videoDecoding, audioDecoding, videoOutput, imageExtraction
  }

  private let kind: Kind
  private static let counts = Lock<[Kind: Int]>([:])
  private static let waiters = Lock<[@Sendable () -> Void]>([])

  package init(_ kind: Kind) {
    self.kind = kind
    Self.counts.withLock { $0[kind, default: 0] += 1 }
  }

  deinit {
    let kind = kind
    let isLast = Self.counts.withLock { counts in
      counts[kind, default: 0] -= 1
      return counts.values.allSatisfy { $0 == 0 }
    }
    if isLast { Self.callWaiters() }
  }

  /// Calls the body once, as soon as nothing is alive: on the thread that frees the last, or at once.
  package static func whenNoneIsAlive(_ body: @escaping @Sendable () -> Void) {
    waiters.withLock { $0.append(body) }
    if alive.isEmpty { callWaiters() }
  }

  private static func callWaiters() {
    let called = waiters.withLock { waiters in
      defer { waiters = [] }
      return waiters
    }
    for body in called { body() }
  }

  /// How many of each kind are alive now; kinds without any are left out.
  package static var alive: [Kind: Int] { counts.withLock { $0.filter { $0.value != 0 } } }
}
