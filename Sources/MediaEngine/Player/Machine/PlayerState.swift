import MediaRuntime

/// A player's own values; a `PlayerSnapshot` whose items are ids.
package struct PlayerState: Equatable, Sendable {
  package var status = ReadinessStatus.unknown
  package var rate: Float = 0
  package var defaultRate: Float = 1
  package var timeControl = TimeControl.paused
  package var waitingReason: WaitingReason?
  package var queue: [ItemID] = []
  package var actionAtItemEnd = ActionAtItemEnd.pause
  package var automaticallyWaits = true
  package var volume: Float = 1
  package var isMuted = false

  package init() {}

  package var current: ItemID? { queue.first }
}
