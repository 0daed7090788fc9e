package import CoreMedia
package import MediaRuntime

/// One period of playing for an item's access log. Negative numbers mean unknown, as at Apple's.
package struct AccessLogRecord: Sendable {
  /// The address that was played.
  package var address: String
  /// When the period began; the façade turns it into a date.
  package var start: HostTime
  /// Item time at which it began.
  package var startOffset: CMTime
  package var stalls = 0
  /// Seconds that were played in this period.
  package var durationWatched = 0.0
  /// Seconds from the item's attachment to its readiness; only the item's first period has it.
  package var startupTime = -1.0
  /// What was read and left out in this period; nil when nobody counts.
  package var counters: PlaybackCounters?

  package init(address: String, start: HostTime, startOffset: CMTime) {
    self.address = address
    self.start = start
    self.startOffset = startOffset
  }
}

/// One error of an item, fatal or not.
package struct ErrorLogRecord: Sendable {
  package var address: String
  package var time: HostTime
  package var error: MediaError

  package init(address: String, time: HostTime, error: MediaError) {
    self.address = address
    self.time = time
    self.error = error
  }
}
