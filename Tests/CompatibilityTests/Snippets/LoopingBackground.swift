import AVFoundation

/// A muted clip that loops behind a page, and a layer that shows it.
@MainActor
final class LoopingBackground {
  let player: AVPlayer
  let layer: AVPlayerLayer
  private var token: (any NSObjectProtocol)?
  private(set) var loops = 0

  init(url: URL) {
    player = AVPlayer(url: url)
    player.isMuted = true
    player.actionAtItemEnd = .none
    player.preventsDisplaySleepDuringVideoPlayback = false
    layer = AVPlayerLayer(player: player)
    layer.videoGravity = .resizeAspectFill
    layer.frame = CGRect(x: 0, y: 0, width: 320, height: 320)
    token = NotificationCenter.default.addObserver(
      forName: AVPlayerItem.didPlayToEndTimeNotification, object: player.currentItem, queue: .main
    ) { [weak self] _ in
      MainActor.assumeIsolated {
        self?.loops += 1
        self?.player.seek(to: CMTime.zero)
        self?.player.play()
      }
    }
    player.play()
  }

  func stop() {
    if let token { NotificationCenter.default.removeObserver(token) }
    player.pause()
    layer.player = nil
  }
}
