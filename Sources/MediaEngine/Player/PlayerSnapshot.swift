package import CoreMedia
package import MediaRuntime

/// Raw values are Apple's (`AVPlayer.Status`, `AVPlayerItem.Status`).
package enum ReadinessStatus: Int, Sendable {
  case unknown = 0, readyToPlay = 1, failed = 2
}

/// Raw values are Apple's (`AVPlayer.TimeControlStatus`).
package enum TimeControl: Int, Sendable {
  case paused = 0, waiting = 1, playing = 2
}

package enum WaitingReason: Hashable, Sendable {
  case toMinimizeStalls, evaluatingBufferingRate, noItemToPlay
}

/// Raw values are Apple's (`AVPlayer.ActionAtItemEnd`).
package enum ActionAtItemEnd: Int, Sendable {
  case advance = 0, pause = 1, none = 2
}

/// All that a player shows to the outside, immutable. A new one is published under the player's lock by every
/// transition, before the call that caused it returns; key-value observing is the difference of two of them.
///
/// Invariants (playback state machine, section 1): paused ⇔ rate 0; playing ⇒ a ready item and a running timebase;
/// a waiting reason ⇔ waiting; `toMinimizeStalls` only while `automaticallyWaits`.
package struct PlayerSnapshot: Sendable {
  package var status = ReadinessStatus.unknown
  package var error: MediaError?
  /// Wanted rate, 0 = paused.
  package var rate: Float = 0
  package var defaultRate: Float = 1
  package var timeControl = TimeControl.paused
  package var waitingReason: WaitingReason?
  /// The queue, the current item first.
  package var items: [ItemCore] = []
  package var actionAtItemEnd = ActionAtItemEnd.pause
  package var automaticallyWaits = true
  package var volume: Float = 1
  package var isMuted = false

  package init() {}

  package var currentItem: ItemCore? { items.first }
}

/// All that an item shows to the outside, immutable; published like the player's.
package struct ItemSnapshot: Sendable {
  package var status = ReadinessStatus.unknown
  package var error: MediaError?
  package var duration = CMTime.indefinite
  /// Media tracks and whether each is enabled, in the container's order.
  package var tracks: [ItemTrackState] = []
  /// Rotated, pixel aspect applied; zero without video.
  package var presentationWidth = 0.0
  package var presentationHeight = 0.0
  package var loadedTimeRanges: [CMTimeRange] = []
  package var seekableTimeRanges: [CMTimeRange] = []
  package var isLikelyToKeepUp = false
  package var isBufferFull = false
  package var isBufferEmpty = true
  package var canPlayFastForward = false
  package var canPlaySlowForward = false
  package var canPlayReverse = false
  package var canPlaySlowReverse = false
  package var canPlayFastReverse = false
  package var canStepForward = false
  package var canStepBackward = false
  package var forwardEndTime = CMTime.invalid
  package var reverseEndTime = CMTime.invalid
  package var preferredForwardBufferDuration = 0.0
  /// Nil until ready; read-only for apps.
  package var timebase: CMTimebase?
  /// The chosen track of each selectable kind; nil = none.
  package var selectedTracks: [TrackKind: Int32?] = [:]

  package init() {}
}

package struct ItemTrackState: Sendable {
  package var track: MediaTrack
  package var isEnabled: Bool
  /// Frames per second being shown; 0 while not playing.
  package var currentFrameRate: Float = 0

  package init(track: MediaTrack, isEnabled: Bool) {
    self.track = track
    self.isEnabled = isEnabled
  }
}
