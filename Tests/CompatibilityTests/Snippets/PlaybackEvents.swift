import AVFoundation

/// Listens to every notification of items and players, as logging and analytics code does.
final class PlaybackEvents: @unchecked Sendable {
  private var tokens: [any NSObjectProtocol] = []
  private let queue = DispatchQueue(label: "events")
  private var lines: [String] = []

  var events: [String] { queue.sync { lines } }

  init(center: NotificationCenter = .default) {
    let names: [NSNotification.Name] = [
      .AVPlayerItemDidPlayToEndTime, .AVPlayerItemFailedToPlayToEndTime, .AVPlayerItemPlaybackStalled,
      .AVPlayerItemTimeJumped, .AVPlayerItemNewAccessLogEntry, .AVPlayerItemNewErrorLogEntry,
      AVPlayer.rateDidChangeNotification,
    ]
    for name in names {
      tokens.append(
        center.addObserver(forName: name, object: nil, queue: nil) { [weak self] note in self?.log(note) })
    }
  }

  deinit {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }

  private func log(_ note: Notification) {
    var text = note.name.rawValue
    if let item = note.object as? AVPlayerItem, let url = (item.asset(of: AVURLAsset.self))?.url {
      text += " " + url.lastPathComponent
    }
    if let error = note.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? NSError { text += " \(error.code)" }
    if let reason = note.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason {
      text += reason == .setRateCalled ? " by the app" : " by itself"
    }
    queue.sync { lines.append(text) }
  }
}

extension AVPlayerItem {
  nonisolated fileprivate func asset<T: AVAsset & Sendable>(of type: T.Type) -> T? {
    Thread.isMainThread ? MainActor.assumeIsolated { asset as? T } : nil
  }
}
