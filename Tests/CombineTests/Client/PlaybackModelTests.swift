import AVFoundation
import Combine
import Foundation
import Testing

@Suite struct PlaybackModelTests {
  @Test @MainActor func aViewModelFollowsItsPlayer() async {
    let player = AVPlayer()
    let center = NotificationCenter()
    let model = PlaybackModel(player: player, center: center)
    let (first, second) = (AVPlayerItem(url: url), AVPlayerItem(url: url))
    player.replaceCurrentItem(with: first)
    player.replaceCurrentItem(with: second)
    player.isMuted = true
    // Where another thread serves the main queue, changes are told behind other players' notifications that wait for it.
    for await isFollowed in model.$item.map({ $0 === second }).values where isFollowed { break }
    center.post(name: .AVPlayerItemDidPlayToEndTime, object: first)
    center.post(name: .AVPlayerItemDidPlayToEndTime, object: second)
    for await caption in model.$caption.values where caption == "muted, 1 times to the end" { break }
    #expect(model.ends == 1)
    #expect(model.isMuted)
    #expect(!model.isPlaying)
  }

  @Test @MainActor func aViewModelGoesAndLetsItsPlayerGo() {
    weak var model: PlaybackModel?
    weak var player: AVPlayer?
    do {
      let made = PlaybackModel(player: AVPlayer())
      model = made
      player = made.player
    }
    #expect(model == nil)
    #expect(player == nil)
  }

  private var url: URL { URL(fileURLWithPath: "/dev/null") }
}
