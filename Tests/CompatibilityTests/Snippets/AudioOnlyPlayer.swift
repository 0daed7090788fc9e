import AVFoundation

/// A podcast or music app's player: sound alone, speed, skipping, sleep at a chapter's end, fading out.
@MainActor
final class AudioOnlyPlayer {
  let player: AVPlayer
  nonisolated(unsafe) private var boundary: Any?
  private(set) var didSleep = false

  init(url: URL) {
    let asset = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: NSNumber(value: true)])
    let item = AVPlayerItem(asset: asset, automaticallyLoadedAssetKeys: ["playable", "duration"])
    item.audioTimePitchAlgorithm = .timeDomain
    player = AVPlayer(playerItem: item)
    player.automaticallyWaitsToMinimizeStalling = false
    player.allowsExternalPlayback = false
    player.actionAtItemEnd = .pause
  }

  func play(speed: Float) {
    player.defaultRate = speed
    player.play()
  }

  func skip(by seconds: TimeInterval) async -> Bool {
    let target = player.currentTime() + CMTimeMakeWithSeconds(seconds, preferredTimescale: 1000)
    let end = player.currentItem?.duration ?? .zero
    return await player.seek(to: CMTimeClampToRange(target, range: CMTimeRange(start: .zero, end: end)))
  }

  func sleep(at time: CMTime) {
    boundary = player.addBoundaryTimeObserver(forTimes: [NSValue(time: time)], queue: nil) { [weak self] in
      MainActor.assumeIsolated {
        self?.player.pause()
        self?.didSleep = true
      }
    }
  }

  func fadeOut() {
    for step in stride(from: Float(0.9), through: 0, by: -0.1) { player.volume = max(step, 0) }
    player.volume = 0
  }

  deinit {
    if let boundary { player.removeTimeObserver(boundary) }
  }
}
