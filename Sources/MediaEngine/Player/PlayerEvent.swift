import CoreMedia
package import MediaRuntime

/// What a player tells its façade, in order. Sent after the player's lock is released.
package enum PlayerEvent: Sendable {
  /// A transition of the player. `byCaller`: on the thread whose call caused it (key-value observers run there at once);
  /// otherwise the event arrives on the main queue.
  case playerChanged(old: PlayerSnapshot, new: PlayerSnapshot)
  case itemChanged(ItemCore, old: ItemSnapshot, new: ItemSnapshot)
  case notification(PlayerNotification)
}

/// Notifications are actions of the state machine, never differences of snapshots.
package enum PlayerNotification: Sendable {
  case didPlayToEnd(ItemCore)
  case failedToPlayToEnd(ItemCore, MediaError)
  case playbackStalled(ItemCore)
  case timeJumped(ItemCore)
  case newAccessLogEntry(ItemCore)
  case newErrorLogEntry(ItemCore)
  case mediaSelectionDidChange(ItemCore)
  case rateDidChange(RateChangeReason)
}

package enum RateChangeReason: Hashable, Sendable {
  case setRateCalled, setRateFailed, audioSessionInterrupted, appBackgrounded
  case playheadReachedLiveEdge, reversePlaybackReachedStart
  /// The item's end with `actionAtItemEnd == .pause`, or a stall without automatic waiting.
  case endOrStall
}
