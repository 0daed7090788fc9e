import AVFoundation

/// Watches one item's buffers and logs them, as quality-of-service code does.
final class ItemMonitor: NSObject, @unchecked Sendable {
  private var observations: [NSKeyValueObservation] = []
  private let lock = NSLock()
  private var lines: [String] = []

  init(_ item: AVPlayerItem) {
    super.init()
    observations = [
      item.observe(\.status, options: [.new, .old]) { [weak self] item, change in
        guard change.oldValue != change.newValue || item.status != .unknown else { return }
        self?.log("status \(item.status.rawValue)")
      },
      item.observe(\.isPlaybackBufferEmpty, options: .new) { [weak self] item, _ in
        self?.log("empty \(item.isPlaybackBufferEmpty)")
      },
      item.observe(\.isPlaybackLikelyToKeepUp, options: .new) { [weak self] item, _ in
        self?.log("likely \(item.isPlaybackLikelyToKeepUp)")
      },
      item.observe(\.loadedTimeRanges, options: [.new]) { [weak self] _, change in
        guard let range = change.newValue?.first?.timeRangeValue else { return }
        self?.log("loaded \(CMTimeGetSeconds(CMTimeRangeGetEnd(range)) > 0)")
      },
      item.observe(\.presentationSize) { [weak self] item, _ in self?.log("size \(Int(item.presentationSize.width))") },
    ]
  }

  var log: [String] { lock.withLock { lines } }

  private func log(_ line: String) { lock.withLock { lines.append(line) } }

  static func summary(_ item: AVPlayerItem) -> String {
    guard let event = item.accessLog()?.events.last else { return "nothing played" }
    return "\(event.numberOfStalls) stalls, \(event.durationWatched > 0 ? "watched" : "unseen")"
  }
}
