import AVFoundation
import Testing

/// Subclasses as clients write them: they compile, and their overrides are called.
final class CountingPlayer: AVPlayer {
  nonisolated(unsafe) var plays = 0

  override func play() {
    plays += 1
    super.play()
  }

  override var rate: Float {
    get { super.rate }
    set { super.rate = min(newValue, 2) }
  }

  override func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    super.seek(
      to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter, completionHandler: completionHandler)
  }
}

class CachingItem: AVPlayerItem {
  let address: URL

  init(url: URL, keys: [String]? = nil) {
    address = url
    super.init(asset: AVURLAsset(url: url), automaticallyLoadedAssetKeys: keys)
  }
}

final class TitledAsset: AVURLAsset, @unchecked Sendable {
  let title: String

  init(title: String, url: URL) {
    self.title = title
    super.init(url: url, options: nil)
  }
}

@Suite @MainActor struct SubclassTests {
  init() { _ = Clips.root }

  @Test func overridesOfAPlayerAreCalled() {
    let player = CountingPlayer()
    player.play()
    player.rate = 10
    #expect(player.plays == 1)
    #expect(player.rate == 2)
  }

  @Test func subclassedItemsAndAssetsPlay() async throws {
    let item = CachingItem(url: Clips.short, keys: ["duration"])
    let player = AVQueuePlayer(items: [item])
    let token = item.observe(\.status) { _, _ in }
    try await eventually("ready") { item.status == .readyToPlay }
    #expect(player.currentItem === item)
    let asset = TitledAsset(title: "A clip", url: Clips.short)
    #expect(try await asset.load(.isPlayable))
    #expect(AVPlayerItem(asset: asset).asset === asset)
    token.invalidate()
  }
}
