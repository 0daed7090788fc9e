import AVFoundation
import Combine

/// A view model as apps with Combine have it.
@MainActor
final class PlaybackModel: ObservableObject {
  @Published private(set) var isPlaying = false
  @Published private(set) var isMuted = false
  @Published private(set) var ends = 0
  @Published private(set) var caption = ""
  @Published private(set) var item: AVPlayerItem?
  @Published var search = ""

  let player: AVPlayer
  private var bag = Set<AnyCancellable>()

  init(player: AVPlayer, center: NotificationCenter = .default) {
    self.player = player
    player.publisher(for: \.timeControlStatus)
      .receive(on: DispatchQueue.main)
      .sink { [weak self] status in self?.isPlaying = status == .playing }
      .store(in: &bag)
    player.publisher(for: \.isMuted)
      .removeDuplicates()
      .receive(on: DispatchQueue.main)
      .assign(to: &$isMuted)
    player.publisher(for: \.currentItem)
      .compactMap { $0 }
      .map { item in center.publisher(for: .AVPlayerItemDidPlayToEndTime, object: item) }
      .switchToLatest()
      .receive(on: DispatchQueue.main)
      .sink { [weak self] _ in self?.ends += 1 }
      .store(in: &bag)
    player.publisher(for: \.currentItem).assign(to: &$item)
    Publishers.CombineLatest($isMuted, $ends)
      .map { muted, ends in "\(muted ? "muted" : "heard"), \(ends) times to the end" }
      .assign(to: &$caption)
  }
}
