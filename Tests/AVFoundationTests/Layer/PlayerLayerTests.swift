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

  @Test func anotherPlayersPicture_isShownAloneAndStays() async throws {
    try await Stage.run(.fake) { stage in
      let (first, _) = await stage.playingPlayer()
      let layer = Layer(first)
      await stage.until("a later picture") { layer.frameTime.map { $0 > seconds(0.5) } ?? false }
      let (second, _) = await stage.readyPlayer()
      layer.layer.player = second
      #expect(layer.frameTime == nil)
      #expect(layer.layer.output.window.isEmpty)
      await stage.until("the other player's picture") { layer.frameTime != nil }
      for _ in 0..<50 {
        #expect(layer.frameTime == .zero)
        await stage.sleep(10)
      }
      withExtendedLifetime(first) {}
    }
  }

  @Test func anOutputRemovedWhileItIsMoved_doesNotComeBack() async throws {
    try await Stage.run(.fake) { stage in
      let (player, item) = await stage.readyPlayer()
      let output = VideoFrameOutput()
      player.attach(output)
      await stage.until("a picture") { output.frame(at: .zero) != nil }
      // The move to the next item flushes first.
      output.setHandlers(onFlush: { player.detach(output) })
      let next = AVPlayerItem(url: stage.url)
      player.replaceCurrentItem(with: next)
      await stage.until("ready") { next.status == .readyToPlay }
      #expect(next.core.outputs.isEmpty && item.core.outputs.isEmpty)
      #expect(output.window.isEmpty)
      output.setHandlers()
    }
  }

  @Test func changesAreToldWithWhatWas() async throws {
    try await Stage.run(.fake) { _ in
      let player = AVPlayer()
      let layer = Layer(player)
      let record = Record()
      let tokens = [
        layer.layer.observe(\.videoGravity, options: [.old, .new, .prior]) { layer, change in
          let (old, new) = (change.oldValue?.rawValue ?? "-", change.newValue?.rawValue ?? "-")
          record.note("\(change.isPrior ? "before" : "after") \(old) \(new) \(layer.videoGravity.rawValue)")
        },
        layer.layer.observe(\.player, options: [.old, .new]) { _, change in
          record.note("player \(change.oldValue == player) \(change.newValue == .some(nil))")
        },
        layer.layer.observe(\.pixelBufferAttributes, options: [.old, .new]) { _, change in
          record.note(
            "attributes \(change.oldValue.flatMap { $0?.count } ?? 0) \(change.newValue.flatMap { $0?.count } ?? 0)")
        },
      ]
      layer.layer.videoGravity = .resize
      layer.layer.pixelBufferAttributes = [kCVPixelBufferWidthKey as String: 8]
      layer.layer.player = nil
      let (aspect, fill) = (AVLayerVideoGravity.resizeAspect.rawValue, AVLayerVideoGravity.resize.rawValue)
      #expect(
        record.all == [
          "before \(aspect) - \(aspect)", "after \(aspect) \(fill) \(fill)", "attributes 0 1", "player true true",
        ])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test func aCopyHasTheOthersSettings() async throws {
    try await Stage.run(.fake) { _ in
      let player = AVPlayer()
      let layer = Layer(player).layer
      layer.videoGravity = .resize
      layer.keepsLastFrame = true
      layer.pixelBufferAttributes = [kCVPixelBufferWidthKey as String: 8]
      let copy = AVPlayerLayer(layer: layer)
      #expect(copy.player === player && copy.videoGravity == .resize && copy.keepsLastFrame)
      #expect(copy.pixelBufferAttributes?.keys.sorted() == [kCVPixelBufferWidthKey as String])
    }
  }

  @Test(arguments: [kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
  func theShownPictureIsGivenInTheFirstFormatOfAList(_ format: OSType) async throws {
    try await Stage.run(.real) { stage in
      let (player, _) = await stage.readyPlayer()
      let layer = Layer(player)
      await stage.until("first picture") { layer.frameTime != nil }
      layer.layer.pixelBufferAttributes = [kCVPixelBufferPixelFormatTypeKey as String: [format, 1]]
      let buffer = try #require(layer.layer.copyDisplayedPixelBuffer())
      #expect(CVPixelBufferGetPixelFormatType(buffer) == format)
    }
  }

  @Test func theRectangleIsToldOnceForEachThingItIsMadeOf() async throws {
    try await Stage.run(.fake) { stage in
      let player = AVPlayer()
      let layer = Layer(player)
      let record = Record()
      let token = layer.layer.observe(\.videoRect, options: [.new]) { _, change in
        record.note("\(Int(change.newValue?.width ?? -1)) x \(Int(change.newValue?.height ?? -1))")
      }
      layer.layer.bounds = CGRect(x: 0, y: 0, width: 400, height: 400)
      player.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
      #expect(record.all == ["0 x 0"])
      record.clear()
      await stage.until("size") { !record.all.isEmpty }
      await stage.sleep(100)
      #expect(record.all == ["400 x 300"])
      layer.layer.videoGravity = .resize
      #expect(record.all == ["400 x 300", "400 x 400"])
      layer.layer.player = nil
      #expect(record.all == ["400 x 300", "400 x 400", "0 x 0"])
      token.invalidate()
    }
  }
}
