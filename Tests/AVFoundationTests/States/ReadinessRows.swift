import AVFoundation
import MediaTestSupport
import Testing

/// `AVPlayerItem.status` and what is known before and after it turns.
@Suite struct ReadinessRows {
  @Test(arguments: Clip.allCases)
  func nothingIsKnownBeforeReady(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let item = AVPlayerItem(url: stage.url)
      await stage.sleep(1000)
      #expect(item.status == .unknown)
      #expect(item.duration.isIndefinite)
      #expect(item.tracks.isEmpty)
      #expect(item.presentationSize == .zero)
      #expect(item.loadedTimeRanges.isEmpty)
      #expect(item.seekableTimeRanges.isEmpty)
      #expect(item.currentTime() == .zero)
      #expect(item.timebase == nil)
      #expect(item.isPlaybackBufferEmpty)
      #expect(!item.canStepForward)
    }
  }

  @Test(arguments: Clip.allCases)
  func attachingMakesReadyWithoutPlay(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVPlayer()
      #expect(player.status == .unknown)
      let item = AVPlayerItem(url: stage.url)
      player.replaceCurrentItem(with: item)
      await stage.until("ready") { item.status == .readyToPlay }
      #expect(player.status == .readyToPlay)
      #expect(player.timeControlStatus == .paused)
      #expect(abs(item.duration.seconds - 10) < 0.1)
      #expect(item.tracks.count >= 2)
      #expect(item.presentationSize.width > 0)
      #expect(item.timebase != nil)
      #expect(item.seekableTimeRanges.first?.timeRangeValue.end == item.duration)
      #expect(item.error == nil)
    }
  }

  @Test(arguments: Clip.allCases)
  func valuesAreToldBeforeTheStatus(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let record = Record()
      let item = AVPlayerItem(url: stage.url)
      let tokens = [
        item.observe(\.status) { item, _ in record.note("status \(item.status.rawValue)") },
        item.observe(\.duration) { _, _ in record.note("duration") },
        item.observe(\.tracks) { _, _ in record.note("tracks") },
        item.observe(\.presentationSize) { _, _ in record.note("size") },
      ]
      let player = AVPlayer(playerItem: item)
      await stage.until("ready") { record.all.contains("status 1") }
      let ready = record.all.firstIndex(of: "status 1") ?? 0
      for value in ["duration", "tracks", "size"] {
        #expect((record.all.firstIndex(of: value) ?? .max) < ready, "\(value)")
      }
      #expect(record.count("status 1") == 1)
      tokens.forEach { $0.invalidate() }
      player.replaceCurrentItem(with: nil)
    }
  }

  @Test(arguments: Clip.allCases)
  func failureIsTerminalAndNamesItsCause(_ clip: Clip) async throws {
    try await Stage.run(clip, failAt: 0) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      player.play()
      await stage.until("failed") { item.status == .failed }
      let error = item.error as NSError?
      #expect(error?.domain == AVFoundationErrorDomain)
      #expect((item.error as? AVError)?.code == .failedToLoadMediaData)
      let below = error?.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(below?.domain == "SprocketErrorDomain")
      #expect(player.status != .failed)
      await stage.until("stopped") { player.timeControlStatus == .paused }
      #expect(player.rate == 0)
    }
  }

  @Test func aMissingFileFailsAsTheLoadingSystemDoes() async throws {
    try await Stage.run(.real) { stage in
      let item = AVPlayerItem(url: URL(fileURLWithPath: "/there/is/no/such.mp4"))
      let player = AVPlayer(playerItem: item)
      await stage.until("failed") { item.status == .failed }
      let error = item.error as NSError?
      #expect(error?.domain == NSURLErrorDomain)
      #expect(error?.code == NSURLErrorFileDoesNotExist)
      #expect(item.errorLog()?.events.count == 1)
      _ = player
    }
  }
}
