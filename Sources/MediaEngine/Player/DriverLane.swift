import MediaRuntime

/// Calls to the driver and to the observers that a player has yet to make, in order. Guarded by the player's lock.
///
/// One thread at a time makes them; another that comes meanwhile leaves its own to it. They never run the app's code
/// and return at once, so slow observers of the app can't hold up a command.
struct DriverLane {
  enum Call: Sendable {
    /// With the item that it is about.
    case driver(PlaybackStateMachine.DriverCall, ItemID?, ItemCore?)
    case add(VideoFrameOutput, ItemID)
    case remove(VideoFrameOutput, ItemID)
    case addSubtitles(SubtitleOutput, ItemID)
    case removeSubtitles(SubtitleOutput, ItemID)
    /// The edges of one transition, the item that is current after it, and the wanted rate.
    case observe([ObserverEdge], ItemID?, Float)
    case logPlaying(ItemCore, ItemID)
    case armEvaluation(UInt64)
    case disarmEvaluation
    /// The observers end with the player.
    case closeObservers
  }

  private var calls: [Call] = []
  private var isBusy = false

  mutating func append(_ call: Call) { calls.append(call) }

  /// The calls to make now, nil when there are none or another thread is at it; `finish` must follow.
  mutating func begin() -> [Call]? {
    guard !isBusy, !calls.isEmpty else { return nil }
    isBusy = true
    defer { calls = [] }
    return calls
  }

  mutating func finish() { isBusy = false }
}
