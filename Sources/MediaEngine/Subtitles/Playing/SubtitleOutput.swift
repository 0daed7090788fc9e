package import CoreMedia
package import MediaRuntime

/// A place where an item's subtitles are told as they come and go. All members may be used from any thread.
package final class SubtitleOutput: Sendable {
  /// Called on an engine queue, outside locks.
  package struct Handlers: Sendable {
    /// What is shown from this item time on; told once for each change.
    package var onChange: (@Sendable (ShownSubtitles, CMTime) -> Void)?
    /// What was told ahead is void: a seek.
    package var onFlush: (@Sendable () -> Void)?

    package init() {}
  }

  private let state: Lock<State>

  private struct State {
    var handlers = Handlers()
    /// The items that the output was added to and not taken from since.
    var sources: [ItemID] = []
    /// The last one told, and whose it is.
    var told: (item: ItemID, shown: ShownSubtitles)?
    var advance: Nanoseconds
    /// Looks again when the advance has changed.
    var onAdvance: (@Sendable () -> Void)?
  }

  /// - Parameter advance: how long before its time a change is told while playing.
  package init(advance: Nanoseconds = .zero) { state = Lock(State(advance: advance)) }

  package func setHandlers(_ handlers: Handlers) { state.withLock { $0.handlers = handlers } }

  package var advance: Nanoseconds {
    get { state.withLock { $0.advance } }
    set {
      let look = state.withLock { state in
        state.advance = newValue
        return state.onAdvance
      }
      look?()
    }
  }

  /// What was told last; empty before.
  package var shown: ShownSubtitles { state.withLock { $0.told?.shown ?? ShownSubtitles() } }

  // MARK: For the item

  func join(_ item: ItemID) {
    state.withLock { state in
      if !state.sources.contains(item) { state.sources.append(item) }
    }
  }

  /// - Returns: takes away what is shown of the item: to be called outside locks. Nil when nothing is.
  func leave(_ item: ItemID) -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.sources.removeAll { $0 == item }
      guard let told = state.told, told.item == item else { return nil }
      state.told = nil
      guard !told.shown.isEmpty, let tell = state.handlers.onChange else { return nil }
      return { tell(ShownSubtitles(), .invalid) }
    }
  }

  // MARK: For the pipeline. Whatever comes from an item that is no source has no effect.

  func setLook(_ look: (@Sendable () -> Void)?) { state.withLock { $0.onAdvance = look } }

  /// Tells what is shown from a time on, unless that is what was told last.
  func show(_ shown: ShownSubtitles, from time: CMTime, of item: ItemID) {
    let tell = state.withLock { state -> (@Sendable (ShownSubtitles, CMTime) -> Void)? in
      guard state.sources.contains(item) else { return nil }
      let before = state.told?.shown ?? ShownSubtitles()
      state.told = (item, shown)
      return before == shown || before.isEmpty && shown.isEmpty ? nil : state.handlers.onChange
    }
    tell?(shown, time)
  }

  /// What was told ahead may not come true.
  func flush(of item: ItemID) {
    let tell = state.withLock { state in state.told?.item == item ? state.handlers.onFlush : nil }
    tell?()
  }
}
