import AVFoundation
import Foundation

/// One player for several kinds of sources, with a state for the interface and a retry that builds a new item.
// @unchecked Sendable: used on the main queue alone, as its users promise.
final class UnifiedPlayer: NSObject, @unchecked Sendable {
  enum Source: Hashable {
    case file(URL)
    case bundled(String)
    case asset(AVURLAsset)

    var asset: AVURLAsset {
      switch self {
      case .file(let url): AVURLAsset(url: url)
      case .bundled(let name): AVURLAsset(url: Clips.url(name))
      case .asset(let asset): asset
      }
    }
  }

  enum State: Equatable {
    case idle, loading, ready, playing, paused, buffering, ended
    case failed(String)
  }

  private let player: AVPlayer
  private var observations: [NSKeyValueObservation] = []
  private var tokens: [any NSObjectProtocol] = []
  private var timeToken: Any?
  private(set) var source: Source?
  private(set) var retries = 0
  private(set) var states: [State] = [.idle]
  var stateChanged: ((State) -> Void)?

  var state: State { states.last ?? .idle }

  init(player: AVPlayer = AVPlayer()) {
    self.player = player
    super.init()
    observations.append(
      player.observe(\.timeControlStatus, options: [.initial, .new]) { [unowned self] player, _ in
        self.controlChanged(player)
      })
    observations.append(
      player.observe(\.currentItem?.status, options: [.new]) { [unowned self] player, change in
        guard let status = change.newValue ?? nil else { return }
        self.itemChanged(status, player.currentItem)
      })
    timeToken = player.addBoundaryTimeObserver(
      forTimes: [NSValue(time: CMTime(value: 1, timescale: 4))], queue: .main, using: {})
  }

  deinit {
    observations.forEach { $0.invalidate() }
    tokens.forEach(NotificationCenter.default.removeObserver)
    if let timeToken { player.removeTimeObserver(timeToken) }
  }

  func load(_ source: Source) {
    self.source = source
    retries = 0
    rebuild()
  }

  func retry() {
    retries += 1
    rebuild()
  }

  private func rebuild() {
    guard let source else { return }
    tokens.forEach(NotificationCenter.default.removeObserver)
    let item = AVPlayerItem(asset: source.asset, automaticallyLoadedAssetKeys: [.tracks, .duration])
    let center = NotificationCenter.default
    tokens = [
      center.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil) { [weak self] _ in
        self?.enter(.ended)
      },
      center.addObserver(forName: .AVPlayerItemFailedToPlayToEndTime, object: item, queue: nil) {
        [weak self] notification in
        let error = notification.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? NSError
        self?.enter(.failed(error?.localizedDescription ?? "stopped early"))
      },
    ]
    enter(.loading)
    player.replaceCurrentItem(with: item)
  }

  func play() { player.play() }
  func pause() { player.pause() }

  func seek(to seconds: TimeInterval, completion: @escaping @Sendable (Bool) -> Void) {
    player.seek(to: CMTimeMakeWithSeconds(seconds, preferredTimescale: 1000), completionHandler: completion)
  }

  private func controlChanged(_ player: AVPlayer) {
    switch player.timeControlStatus {
    case .playing: enter(.playing)
    case .waitingToPlayAtSpecifiedRate:
      if player.reasonForWaitingToPlay == .toMinimizeStalls { enter(.buffering) }
    case .paused:
      if state == .playing { enter(.paused) }
    @unknown default: break
    }
  }

  private func itemChanged(_ status: AVPlayerItem.Status, _ item: AVPlayerItem?) {
    switch status {
    case .readyToPlay: enter(.ready)
    case .failed:
      let error = item?.error as NSError?
      enter(.failed("\(error?.domain ?? "") \(error?.code ?? 0)"))
    default: break
    }
  }

  private func enter(_ state: State) {
    guard state != self.state else { return }
    states.append(state)
    stateChanged?(state)
  }
}
