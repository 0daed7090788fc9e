import AVFoundation

/// Scrubbing the way of the sample code: at most one seek in flight, the last target always reached.
@MainActor
final class ChasingScrubber {
  private let player: AVPlayer
  private var isSeekInProgress = false
  private var chaseTime = CMTime.zero
  private(set) var landings = 0

  init(player: AVPlayer) { self.player = player }

  func stopPlayingAndSeekSmoothlyToTime(newChaseTime: CMTime) {
    player.pause()
    if CMTimeCompare(newChaseTime, chaseTime) != 0 {
      chaseTime = newChaseTime
      if !isSeekInProgress { trySeekToChaseTime() }
    }
  }

  private func trySeekToChaseTime() {
    guard player.currentItem?.status == .readyToPlay else { return }
    isSeekInProgress = true
    let seekTimeInProgress = chaseTime
    player.seek(to: seekTimeInProgress, toleranceBefore: .zero, toleranceAfter: .zero) { [weak self] _ in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.landings += 1
        if CMTimeCompare(seekTimeInProgress, self.chaseTime) == 0 {
          self.isSeekInProgress = false
        } else {
          self.trySeekToChaseTime()
        }
      }
    }
  }
}
