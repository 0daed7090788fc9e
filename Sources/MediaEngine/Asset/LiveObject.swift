internal import MediaRuntime

/// Counts the objects of a kind that are alive, so that tests can show that nothing is left after closing.
package final class LiveObject: Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case asset, openedMedia, itemPipeline, driver, videoDecoding, audioDecoding, videoOutput
  }

  private let kind: Kind
  private static let counts = Lock<[Kind: Int]>([:])

  package init(_ kind: Kind) {
    self.kind = kind
    Self.counts.withLock { $0[kind, default: 0] += 1 }
  }

  deinit {
    let kind = kind
    Self.counts.withLock { $0[kind, default: 0] -= 1 }
  }

  /// How many of each kind are alive now; kinds without any are left out.
  package static var alive: [Kind: Int] { counts.withLock { $0.filter { $0.value != 0 } } }
}
