package import CoreMedia
package import MediaRuntime

/// A stretch of a clock on which an item's time runs at one rate. Rate 0 rests at `mediaTime`.
package struct TimelineSpan: Sendable {
  package enum Start: Hashable, Sendable {
    /// The host's clock: items without sound, and all that rests.
    case host(HostTime)
    /// A frame of the player's sound device.
    case device(Int64)
  }

  package var item: ItemID
  package var start: Start
  /// Item time at the start.
  package var mediaTime: CMTime
  package var rate: Double
  /// The seek (or beginning) that this stretch belongs to; a reading of an older one never follows a newer one.
  package var generation: UInt64
  /// Item time that the stretch does not pass: the end of what the device has been given; backward, where it ends.
  package var limit: CMTime?

  package init(
    item: ItemID, start: Start, mediaTime: CMTime, rate: Double, generation: UInt64, limit: CMTime? = nil
  ) {
    self.item = item
    self.start = start
    self.mediaTime = mediaTime
    self.rate = rate
    self.generation = generation
    self.limit = limit
  }
}
