import AVFoundation
import MediaTestSupport
import Testing

/// What guides get wrong about players, said right. What must not exist at all is in `CompileTests`; sharing an item is
/// in `MisuseTests`; the stall without automatic waiting is row 11, the seek into loaded data row 16.
@Suite struct WidespreadErrorTests {
  @Test("Creating an item loads nothing; a player does", arguments: Clip.allCases)
  func loadingStartsWithAPlayer(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let asset = AVURLAsset(url: stage.url)
      let item = AVPlayerItem(asset: asset)
      await stage.sleep(2000)
      #expect(item.status == .unknown)
      #expect(asset.statusOfValue(forKey: "duration", error: nil) == .unknown)
      let player = AVPlayer(playerItem: item)
      await stage.until("ready") { item.status == .readyToPlay }
      #expect(player.rate == 0)
    }
  }

  @Test("An observer without an object gets every item's notifications", arguments: Clip.allCases)
  func observersOfAllItems(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let players = await [stage.readyPlayer(), stage.readyPlayer()]
      let record = Record()
      let own = players.map(\.1)
      let token = NotificationToken(.AVPlayerItemTimeJumped, nil) { notification in
        guard let index = own.firstIndex(where: { $0 === notification.object as? AVPlayerItem }) else { return }
        record.note("\(index)")
      }
      for (player, _) in players { #expect(await player.seek(to: seconds(3))) }
      await stage.until("both") { Set(record.all) == ["0", "1"] }
      token.end()
    }
  }

  @Test("Ready always comes before the end", arguments: Clip.allCases)
  func readyBeforeTheEnd(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let item = AVPlayerItem(url: stage.url)
      let record = Record()
      let token = item.observe(\.status) { item, _ in record.note("status \(item.status.rawValue)") }
      let end = stage.note(.AVPlayerItemDidPlayToEndTime, of: item, in: record) { _ in "end" }
      item.seek(to: seconds(9.9), toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
      let player = AVPlayer(playerItem: item)
      player.play()
      await stage.until("the end") { record.count("end") == 1 }
      #expect(record.all == ["status 1", "end"])
      token.invalidate()
      end.end()
    }
  }

  @Test("A timescale of 600 is 1.67 ms")
  func timescales() {
    #expect(abs(CMTime(value: 1, timescale: 600).seconds - 0.001_666_7) < 0.000_001)
  }

  @Test("seekingWaitsForVideoCompositionRendering is off unless asked for", arguments: [Clip.fake])
  func compositionRendering(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      #expect(!AVPlayerItem(url: stage.url).seekingWaitsForVideoCompositionRendering)
    }
  }

  @Test("A chosen sound device is used by the sound that plays and by what comes later", arguments: Clip.allCases)
  func soundDevices(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      #expect(player.audioOutputDeviceUniqueID == nil)
      player.audioOutputDeviceUniqueID = "headphones"
      #expect(player.audioOutputDeviceUniqueID == "headphones")
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(stage.sinks.sinks.map(\.device) == ["headphones"])
      player.audioOutputDeviceUniqueID = nil
      await stage.until("the default again") { stage.sinks.sinks.map(\.device) == [nil] }
      #expect(player.timeControlStatus == .playing)
    }
  }
}
