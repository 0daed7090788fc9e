import MediaRuntime

/// Finds two threads in one place at a time.
final class Overlap: Sendable {
  private struct State {
    var inside = 0
    var overlaps = 0
  }

  private let state = Lock(State())

  var overlaps: Int { state.withLock { $0.overlaps } }

  /// Counts something that must not be.
  func note() { state.withLock { $0.overlaps += 1 } }

  func visit() {
    state.withLock { state in
      state.inside += 1
      if state.inside > 1 { state.overlaps += 1 }
    }
    state.withLock { $0.inside -= 1 }
  }
}
