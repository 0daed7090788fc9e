import AVFoundation
import Foundation

/// A view controller's player part as apps have it: slider, labels, play button, one clip.
@MainActor
final class LocalPlayerController {
  private(set) var player = AVPlayer()
  private var timeObserver: Any?
  private var statusObservation: NSKeyValueObservation?
  private var rateObservation: NSKeyValueObservation?
  private var endToken: (any NSObjectProtocol)?
  private var isDraggingSlider = false

  var sliderValue: Float = 0
  var sliderMaximum: Float = 0
  var timeText = "--:--"
  var isPlayButtonShown = true {
    didSet { if isPlayButtonShown != oldValue { playButtonChanges.append(isPlayButtonShown) } }
  }
  private(set) var playButtonChanges: [Bool] = []
  var didReachEnd = false
  var errorText: String?
  var onReady: (() -> Void)?
  var onEnd: (() -> Void)?

  func open(_ url: URL) {
    let asset = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
    let item = AVPlayerItem(asset: asset)
    statusObservation = item.observe(\.status, options: [.initial, .new]) { [weak self] item, _ in
      MainActor.assumeIsolated { self?.statusChanged(of: item) }
    }
    rateObservation = player.observe(\.timeControlStatus, options: [.new]) { [weak self] player, _ in
      let isPaused = player.timeControlStatus == .paused
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.isPlayButtonShown = isPaused }
      }
    }
    let interval = CMTime(seconds: 0.1, preferredTimescale: CMTimeScale(NSEC_PER_SEC))
    timeObserver = player.addPeriodicTimeObserver(forInterval: interval, queue: .main) { [weak self] time in
      MainActor.assumeIsolated { self?.timeChanged(time) }
    }
    endToken = NotificationCenter.default.addObserver(
      forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: .main
    ) { [weak self] _ in
      MainActor.assumeIsolated {
        self?.didReachEnd = true
        self?.onEnd?()
      }
    }
    player.replaceCurrentItem(with: item)
  }

  private func statusChanged(of item: AVPlayerItem) {
    switch item.status {
    case .readyToPlay:
      sliderMaximum = Float(CMTimeGetSeconds(item.duration))
      onReady?()
    case .failed:
      errorText = item.error?.localizedDescription ?? "Unknown error"
      onReady?()
    case .unknown: break
    @unknown default: break
    }
  }

  private func timeChanged(_ time: CMTime) {
    guard !isDraggingSlider else { return }
    let seconds = CMTimeGetSeconds(time)
    guard seconds.isFinite else { return }
    sliderValue = Float(seconds)
    timeText = String(format: "%02d:%02d", Int(seconds) / 60, Int(seconds) % 60)
  }

  func togglePlay() {
    if player.timeControlStatus == .paused { player.play() } else { player.pause() }
  }

  func sliderTouchDown() {
    isDraggingSlider = true
  }

  func sliderTouchUp() async {
    let target = CMTime(seconds: Double(sliderValue), preferredTimescale: 600)
    await player.seek(to: target, toleranceBefore: .zero, toleranceAfter: .zero)
    isDraggingSlider = false
  }

  func close() {
    if let timeObserver { player.removeTimeObserver(timeObserver) }
    timeObserver = nil
    if let endToken { NotificationCenter.default.removeObserver(endToken) }
    statusObservation?.invalidate()
    rateObservation = nil
    player.pause()
    player.replaceCurrentItem(with: nil)
  }
}
