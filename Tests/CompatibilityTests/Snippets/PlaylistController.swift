import AVFoundation

/// A playlist of clips over AVQueuePlayer: next, previous, repeat, and which one plays.
@MainActor
final class PlaylistController {
  enum RepeatMode { case off, all, one }

  let player = AVQueuePlayer()
  var repeatMode = RepeatMode.off
  private(set) var played: [Int] = []
  private let urls: [URL]
  private var itemObservation: NSKeyValueObservation?
  private var endObserver: (any NSObjectProtocol)?

  init(urls: [URL]) {
    self.urls = urls
    itemObservation = player.observe(\.currentItem, options: [.new]) { [weak self] _, change in
      let item = change.newValue ?? nil
      MainActor.assumeIsolated {
        guard let self, let item, let index = self.index(of: item) else { return }
        self.played.append(index)
      }
    }
    endObserver = NotificationCenter.default.addObserver(
      forName: .AVPlayerItemDidPlayToEndTime, object: nil, queue: .main
    ) { [weak self] note in
      guard let item = note.object as? AVPlayerItem else { return }
      MainActor.assumeIsolated { self?.ended(item) }
    }
  }

  var currentIndex: Int? { player.currentItem.flatMap(index(of:)) }

  func start(at index: Int = 0) {
    player.removeAllItems()
    for url in urls[index...] {
      let item = AVPlayerItem(url: url)
      if player.canInsert(item, after: nil) { player.insert(item, after: nil) }
    }
    player.play()
  }

  func next() { player.advanceToNextItem() }

  func previous() {
    guard let index = currentIndex else { return }
    if player.currentTime().seconds > 3 || index == 0 {
      player.seek(to: .zero)
    } else {
      start(at: index - 1)
    }
  }

  func close() {
    itemObservation?.invalidate()
    if let endObserver { NotificationCenter.default.removeObserver(endObserver) }
    player.removeAllItems()
  }

  private func index(of item: AVPlayerItem) -> Int? {
    guard let asset = item.asset as? AVURLAsset else { return nil }
    return urls.firstIndex(of: asset.url)
  }

  private func ended(_ item: AVPlayerItem) {
    guard index(of: item) == urls.count - 1, repeatMode == .all else { return }
    start()
  }
}
