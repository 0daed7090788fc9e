import AVFoundation

/// A view model as an app without a reactive framework has it: published by closure, driven by observers.
@MainActor
final class PlaybackViewModel {
  struct ViewState: Equatable {
    var isPlaying = false
    var isBuffering = false
    var progress = 0.0
    var elapsed = "0:00"
    var remaining = "-:--"
    var message: String?
  }

  private(set) var state = ViewState() {
    didSet { if state != oldValue { onChange?(state) } }
  }
  var onChange: ((ViewState) -> Void)?
  let player: AVPlayer

  private var timeObserverToken: Any?
  private var observations = Set<NSKeyValueObservation>()

  init(url: URL) {
    player = AVPlayer(url: url)
    player.observe(\.timeControlStatus, options: [.initial, .new]) { [weak self] player, _ in
      Task { @MainActor in
        self?.state.isPlaying = player.timeControlStatus == .playing
        self?.state.isBuffering =
          player.timeControlStatus == .waitingToPlayAtSpecifiedRate
          && player.reasonForWaitingToPlay == .toMinimizeStalls
      }
    }.store(in: &observations)
    player.observe(\.currentItem?.status) { [weak self] player, _ in
      Task { @MainActor in
        if player.currentItem?.status == .failed {
          self?.state.message = player.currentItem?.error?.localizedDescription
        }
      }
    }.store(in: &observations)
    timeObserverToken = player.addPeriodicTimeObserver(
      forInterval: CMTime(seconds: 0.05, preferredTimescale: CMTimeScale(NSEC_PER_SEC)), queue: .main
    ) { [weak self] time in
      MainActor.assumeIsolated { self?.update(time) }
    }
  }

  func stop() {
    if let timeObserverToken { player.removeTimeObserver(timeObserverToken) }
    timeObserverToken = nil
    observations.removeAll()
    player.pause()
  }

  private func update(_ time: CMTime) {
    guard let duration = player.currentItem?.duration, duration.isNumeric, duration > .zero else { return }
    state.progress = time.seconds / duration.seconds
    state.elapsed = Self.text(time)
    state.remaining = "-" + Self.text(CMTimeSubtract(duration, time))
  }

  private static func text(_ time: CMTime) -> String {
    let seconds = Int(time.seconds.rounded(.down))
    return "\(seconds / 60):" + String(format: "%02d", seconds % 60)
  }
}

extension NSKeyValueObservation {
  func store(in set: inout Set<NSKeyValueObservation>) { set.insert(self) }
}
