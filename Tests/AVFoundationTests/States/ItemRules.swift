import AVFoundation
import MediaTestSupport
import Testing

/// Items and their players.
@Suite struct ItemRules {
  @Test("An item may go to another player as soon as it has left its first", arguments: Clip.allCases)
  func detachIsSynchronous(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (first, item) = await stage.readyPlayer()
      first.replaceCurrentItem(with: nil)
      let second = AVPlayer(playerItem: item)
      await stage.until("ready there") { item.status == .readyToPlay }
      #expect(second.currentItem === item)
    }
  }

  @Test("The same item again changes nothing", arguments: Clip.allCases)
  func sameItemAgain(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.playingPlayer()
      let record = Record()
      let tokens = [
        player.observe(\.currentItem) { _, _ in record.note("item") },
        player.observe(\.timeControlStatus) { _, _ in record.note("control") },
      ]
      await stage.sleep(500)
      let time = player.currentTime()
      player.replaceCurrentItem(with: item)
      #expect(player.currentTime() >= time)
      await stage.sleep(200)
      #expect(record.all.isEmpty)
      #expect(player.currentTime() > time)
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("A new item while playing plays by itself; the old one's seek is answered false", arguments: Clip.allCases)
  func replacingWhilePlaying(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, old) = await stage.playingPlayer()
      let record = Record()
      old.seek(to: seconds(5), toleranceBefore: .zero, toleranceAfter: .zero) { record.note("\($0)") }
      let new = AVPlayerItem(url: stage.url)
      player.replaceCurrentItem(with: new)
      #expect(player.currentItem === new)
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      await stage.until("playing") { player.timeControlStatus == .playing }
      await stage.until("answered") { record.all == ["false"] }
    }
  }

  @Test("What belongs to the player survives its items", arguments: Clip.allCases)
  func playersOwnThings(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      player.volume = 0.25
      player.isMuted = true
      let record = Record()
      let token = player.addPeriodicTimeObserver(forInterval: seconds(0.5), queue: .main) { _ in record.note("tick") }
      player.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      record.clear()
      await stage.sleep(1200)
      #expect(record.all.count >= 2)
      #expect(player.volume == 0.25)
      #expect(player.isMuted)
      player.removeTimeObserver(token)
    }
  }

  @Test("A copy has the settings, neither outputs nor time", arguments: Clip.allCases)
  func copies(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      item.add(AVPlayerItemVideoOutput())
      item.forwardPlaybackEndTime = seconds(7)
      item.preferredForwardBufferDuration = 3
      #expect(await player.seek(to: seconds(4)))
      let copy = try #require(item.copy() as? AVPlayerItem)
      #expect(copy !== item)
      #expect(copy.forwardPlaybackEndTime == seconds(7))
      #expect(copy.preferredForwardBufferDuration == 3)
      #expect(copy.outputs.isEmpty)
      #expect(copy.currentTime() == .zero)
      #expect(copy.status == .unknown)
    }
  }

  @Test("A player that goes stops, also with observers left", arguments: Clip.allCases)
  func deallocation(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let record = Record()
      let gone: Weak<AVPlayer>
      let tokens: [Any]
      let posts: NotificationCenter.Notifications
      do {
        let (player, _) = await stage.playingPlayer()
        gone = Weak(player)
        tokens = [
          player.addPeriodicTimeObserver(forInterval: seconds(0.1), queue: .main) { _ in record.note("tick") },
          player.observe(\.timeControlStatus) { _, _ in record.note("control") },
        ]
        posts = NotificationCenter.default.notifications(
          named: AVPlayer.rateDidChangeNotification, object: player)
        player.seek(to: seconds(5), toleranceBefore: .zero, toleranceAfter: .zero) { record.note("seek \($0)") }
      }
      await stage.until("freed") { gone.isGone }
      await stage.until("answered") { record.count("seek false") + record.count("seek true") == 1 }
      record.clear()
      await stage.sleep(1000)
      #expect(record.all.isEmpty)
      let posted: Void? = await posts.first { _ in true }.map { _ in }
      #expect(posted == nil)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("An output that is added again keeps its pictures")
  func addingAgain() async throws {
    try await Stage.run(.real) { stage in
      let item = AVPlayerItem(url: stage.url)
      let output = AVPlayerItemVideoOutput()
      item.add(output)
      let player = AVPlayer(playerItem: item)
      await stage.until("a picture") { output.hasNewPixelBuffer(forItemTime: .zero) }
      #expect(output.copyPixelBuffer(forItemTime: .zero, itemTimeForDisplay: nil) != nil)
      item.add(output)
      #expect(item.outputs.count == 1)
      #expect(output.copyPixelBuffer(forItemTime: .zero, itemTimeForDisplay: nil) != nil)
      #expect(!output.hasNewPixelBuffer(forItemTime: .zero))
      withExtendedLifetime(player) {}
    }
  }

  @Test("The keys of an item's list are loaded when it is ready; an empty list asks for none", arguments: Clip.allCases)
  func automaticallyLoadedKeys(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let asset = AVURLAsset(url: stage.url)
      #expect(AVPlayerItem(asset: asset).automaticallyLoadedAssetKeys == ["duration"])
      let item = AVPlayerItem(asset: asset, automaticallyLoadedAssetKeys: [.duration, .tracks])
      #expect(item.automaticallyLoadedAssetKeys == ["duration", "tracks"])
      #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .unknown)
      let player = AVPlayer(playerItem: item)
      await stage.until("ready") { item.status == .readyToPlay }
      for key in item.automaticallyLoadedAssetKeys {
        #expect(asset.statusOfValue(forKey: key, error: nil) == .loaded, "\(key)")
      }
      let bare = AVPlayerItem(asset: AVURLAsset(url: stage.url), automaticallyLoadedAssetKeys: [])
      #expect(bare.automaticallyLoadedAssetKeys.isEmpty)
      player.replaceCurrentItem(with: bare)
      await stage.until("ready too") { bare.status == .readyToPlay }
    }
  }

  @Test("The error is set before the status is told", arguments: Clip.allCases)
  func errorBeforeStatus(_ clip: Clip) async throws {
    try await Stage.run(clip, failAt: 0) { stage in
      let item = AVPlayerItem(url: stage.url)
      let record = Record()
      let token = item.observe(\.status, options: [.new]) { item, _ in
        record.note("\(item.status.rawValue) \(item.error != nil)")
      }
      let player = AVPlayer(playerItem: item)
      await stage.until("told") { !record.all.isEmpty }
      #expect(record.all == ["2 true"])
      #expect(player.error == nil)
      #expect(player.status == .readyToPlay)
      token.invalidate()
    }
  }
}
