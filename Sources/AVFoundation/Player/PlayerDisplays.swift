package import MediaEngine
import MediaRuntime

/// Outputs that show whatever a player plays: attached to its current item, and moved when that changes.
package final class PlayerDisplays: Sendable {
  private struct State {
    var outputs: [VideoFrameOutput] = []
    var item: ItemCore?
    var isMoving = false
    var mustLookAgain = false
  }

  private let core: PlayerCore
  private let state = Lock(State())

  init(_ core: PlayerCore) {
    self.core = core
  }

  package func add(_ output: VideoFrameOutput) {
    state.withLock { state in
      if !state.outputs.contains(where: { $0 === output }) { state.outputs.append(output) }
    }
    follow()
  }

  package func remove(_ output: VideoFrameOutput) {
    let item = state.withLock { state in
      state.outputs.removeAll { $0 === output }
      return state.item
    }
    item?.removeOutput(output)
  }

  /// The current item may be another one now. One thread at a time moves outputs; others make it look again.
  func follow() {
    let begins = state.withLock { state in
      state.mustLookAgain = true
      defer { state.isMoving = true }
      return !state.isMoving
    }
    guard begins else { return }
    while let (old, new, outputs) = next() {
      for output in outputs where old !== new { old?.removeOutput(output) }
      for output in outputs {
        new?.addOutput(output)
        // It may have been removed since it was looked up, even before it was added.
        if !holds(output) { new?.removeOutput(output) }
      }
    }
  }

  private func holds(_ output: VideoFrameOutput) -> Bool {
    state.withLock { state in state.outputs.contains { $0 === output } }
  }

  private func next() -> (ItemCore?, ItemCore?, [VideoFrameOutput])? {
    let current = core.snapshot.currentItem
    return state.withLock { state in
      guard state.mustLookAgain else {
        state.isMoving = false
        return nil
      }
      state.mustLookAgain = false
      defer { state.item = current }
      return (state.item, current, state.outputs)
    }
  }
}

extension AVPlayer {
  /// Shows what this player plays on an output of the app's own renderer, through all its items.
  package nonisolated func attach(_ output: VideoFrameOutput) { displays.add(output) }
  package nonisolated func detach(_ output: VideoFrameOutput) { displays.remove(output) }
}
