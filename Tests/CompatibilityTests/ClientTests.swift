import AVFoundation
import Testing

/// Waits for a condition on the main actor; these tests play in real time.
@MainActor
func eventually(_ what: String, within seconds: Double = 20, _ condition: () -> Bool) async throws {
  let end = Date(timeIntervalSinceNow: seconds)
  while !condition() {
    guard Date() < end else {
      Issue.record("Never happened: \(what)")
      return
    }
    try await Task.sleep(nanoseconds: 5 * NSEC_PER_MSEC)
  }
}

/// Code as it is written for Apple's systems, on the public API alone.
@Suite(.serialized) @MainActor struct ClientTests {
  init() { _ = Clips.root }

  @Test func aControllerWithASliderPlaysAClipToItsEnd() async throws {
    let controller = LocalPlayerController()
    controller.open(Clips.short)
    try await eventually("ready") { controller.sliderMaximum > 0 }
    #expect(controller.sliderMaximum == 0.5)
    controller.togglePlay()
    try await eventually("the end") { controller.didReachEnd }
    try await eventually("the button went and is back") { controller.playButtonChanges.suffix(2) == [false, true] }
    // The last call comes when playing stops. Where the machine is late, the time may lie beside the end by a frame.
    try await eventually("the slider is at the end, not at \(controller.sliderValue)") {
      controller.sliderValue > controller.sliderMaximum - 1 / 30
    }
    #expect(controller.timeText == "00:00")
    controller.close()
    #expect(controller.player.currentItem == nil)
  }

  @Test func draggingTheSliderLandsWhereItWasLeft() async throws {
    let controller = LocalPlayerController()
    controller.open(Clips.long)
    try await eventually("ready") { controller.sliderMaximum > 0 }
    controller.sliderTouchDown()
    for value in stride(from: Float(1), through: 8, by: 1) { controller.sliderValue = value }
    await controller.sliderTouchUp()
    #expect(controller.player.currentTime() == CMTime(value: 8, timescale: 1))
    try await eventually("the slider follows") { controller.sliderValue == 8 }
    controller.close()
  }

  @Test func aMissingFileIsShownAsAnError() async throws {
    let controller = LocalPlayerController()
    controller.open(URL(fileURLWithPath: "/there/is/no/such.mov"))
    try await eventually("an error") { controller.errorText != nil }
    #expect(controller.sliderMaximum == 0)
    controller.close()
  }

  @Test func aUnifiedPlayerGoesThroughItsStates() async throws {
    let player = UnifiedPlayer()
    player.load(.bundled("half-second.mp4"))
    try await eventually("ready") { player.state == .ready }
    player.play()
    try await eventually("ended") { player.states.contains(.ended) }
    // A start that takes longer than a tenth of a second is shown as buffering.
    #expect(player.states.filter { $0 != .buffering }.prefix(4) == [.idle, .loading, .ready, .playing])
  }

  @Test func aRetryRebuildsTheItem() async throws {
    let player = UnifiedPlayer()
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mp4")
    player.load(.file(place))
    try await eventually("failed") { if case .failed = player.state { true } else { false } }
    #expect(player.state == .failed("\(NSURLErrorDomain) \(NSURLErrorFileDoesNotExist)"))
    try FileManager.default.copyItem(at: Clips.short, to: place)
    player.retry()
    try await eventually("ready") { player.state == .ready }
    #expect(player.retries == 1)
    try FileManager.default.removeItem(at: place)
  }

  @Test func observersRemovedInDeinitLeaveNothing() async throws {
    let shared = AVPlayer()
    weak var gone: UnifiedPlayer?
    do {
      let player = UnifiedPlayer(player: shared)
      player.load(.asset(AVURLAsset(url: Clips.short)))
      gone = player
    }
    #expect(gone == nil)
    shared.play()
    try await eventually("plays on for others") { shared.timeControlStatus == .playing }
    shared.replaceCurrentItem(with: nil)
  }

  @Test func aPoolOfThreeScrollsThroughAFeed() async throws {
    let pool = PlayerPool(urls: Array(repeating: Clips.long, count: 6))
    weak var firstItem: AVPlayerItem?
    for index in 0..<6 {
      pool.show(index)
      let player = try #require(pool.player(at: index))
      if index == 0 { firstItem = player.currentItem }
      try await eventually("playing \(index)") { player.timeControlStatus == .playing }
      if index > 0 { #expect(pool.player(at: index - 1)?.rate == 0) }
    }
    try await eventually("the first item is let go of") { firstItem == nil }
    let last = try #require(pool.player(at: 5))
    pool.drain()
    #expect(last.currentItem == nil && last.timeControlStatus == .waitingToPlayAtSpecifiedRate)
  }

  @Test func loadingAndPlayingWithConcurrency() async throws {
    let asset = AVURLAsset(url: Clips.short)
    let (duration, tracks) = try await asset.load(.duration, .tracks)
    let video = try #require(try await asset.loadTracks(withMediaType: .video).first)
    let size = try await video.load(.naturalSize)
    #expect(duration.seconds > 0.4 && tracks.count == 2 && size.width > 0)
    let player = AVPlayer(playerItem: AVPlayerItem(asset: asset))
    let ended = NotificationCenter.default.notifications(
      named: AVPlayerItem.didPlayToEndTimeNotification, object: player.currentItem)
    player.play()
    for await notification in ended {
      #expect(notification.object as? AVPlayerItem === player.currentItem)
      break
    }
    #expect(player.rate == 0)
  }

  @Test func framesArePulledAsBGRA() async throws {
    let output = AVPlayerItemVideoOutput(pixelBufferAttributes: [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
    ])
    let item = AVPlayerItem(url: Clips.long)
    item.add(output)
    let player = AVPlayer(playerItem: item)
    try await eventually("ready") { item.status == .readyToPlay }
    await player.seek(to: CMTime(value: 2, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)
    try await eventually("a frame") { output.hasNewPixelBuffer(forItemTime: item.currentTime()) }
    var shown = CMTime.invalid
    let buffer = try #require(output.copyPixelBuffer(forItemTime: item.currentTime(), itemTimeForDisplay: &shown))
    #expect(shown.seconds == 2)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA)
    #expect(CVPixelBufferGetWidth(buffer) == Int(item.presentationSize.width))
    #expect(!output.hasNewPixelBuffer(forItemTime: item.currentTime()))
    let hostTime = CACurrentMediaTime()
    #expect(output.itemTime(forHostTime: hostTime) == item.currentTime())
    #expect(item.outputs == [output])
    item.remove(output)
    #expect(item.outputs.isEmpty)
  }
}
