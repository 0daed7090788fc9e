import AVFoundation
import MediaEngine
import MediaTestSupport
import Testing

/// What a view that draws a player's layer gets to see.
@Suite struct PlayerLayerTests {
  /// A layer is a view's: used here under the world's baton, which is one thread at a time as well.
  private struct Layer: @unchecked Sendable {
    let layer: AVPlayerLayer

    init(_ player: AVPlayer) { layer = AVPlayerLayer(player: player) }

    var frameTime: CMTime? { layer.frameToShow?.time }
  }

  @Test(arguments: Clip.allCases)
  func aSeekNeverLeavesTheLayerWithoutItsPicture(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let layer = Layer(player)
      await stage.until("first picture") { layer.frameTime != nil }
      let record = Record()
      player.seek(to: seconds(6), toleranceBefore: .zero, toleranceAfter: .zero) { _ in record.note("landed") }
      let gaps = Record()
      await stage.until("landed") {
        if layer.frameTime == nil { gaps.note("gap") }
        return !record.all.isEmpty
      }
      #expect(gaps.all.isEmpty)
      let time = layer.frameTime
      #expect(time.map { $0 <= seconds(6) && $0 > seconds(5.9) } == true)
    }
  }

  @Test(arguments: Clip.allCases, [false, true])
  func anotherItemsPicture_staysOnlyWhenAskedFor(_ clip: Clip, keeps: Bool) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let layer = Layer(player)
      layer.layer.keepsLastFrame = keeps
      await stage.until("first picture") { layer.frameTime != nil }
      player.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
      #expect((layer.frameTime != nil) == keeps)
      #expect(layer.layer.isReadyForDisplay == false)
      await stage.until("the new item's picture") { layer.layer.isReadyForDisplay }
      #expect(layer.frameTime != nil)
      player.replaceCurrentItem(with: nil)
      #expect(layer.frameTime == nil)
    }
  }
}
