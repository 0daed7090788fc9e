internal import CoreMedia
internal import MediaRuntime

/// What an item's `CMTimebase` reads: the player's timeline.
final class ItemTimebase: TimebaseProvider {
  private let timeline: Timeline
  private let item: ItemID

  init(timeline: Timeline, item: ItemID) {
    self.timeline = timeline
    self.item = item
  }

  func timeAndRate(atHostNanoseconds nanoseconds: Int64) -> (time: CMTime, rate: Double) {
    timeline.timeAndRate(of: item, at: HostTime(nanoseconds: nanoseconds))
  }
}
