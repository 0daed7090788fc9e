import AVFoundation
import MediaRuntime
import MediaTestSupport
import Testing

/// AVPlayerLooper: an item, or a part of it, over and over.
@Suite struct LooperRules {
  @Test("The copies take turns, none of them the template, and the loops are counted", arguments: Clip.allCases)
  func turns(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let template = AVPlayerItem(url: stage.url)
      let player = AVQueuePlayer()
      player.play()
      let looper = AVPlayerLooper(player: player, templateItem: template)
      #expect(looper.status == .unknown && looper.loopCount == 0 && looper.loopingPlayerItems.isEmpty)
      let record = Record()
      let observations = [
        looper.observe(\.status, options: [.old, .new]) { _, change in
          record.note("status \(change.oldValue?.rawValue ?? -1) \(change.newValue?.rawValue ?? -1)")
        },
        looper.observe(\.loopCount, options: [.new]) { _, change in record.note("loop \(change.newValue ?? -1)") },
      ]
      await stage.until("ready") { looper.status == .ready }
      #expect(player.rate == 1)
      let items = looper.loopingPlayerItems
      #expect(items.count >= 3 && !items.contains(template))
      #expect(player.items() == items)
      await stage.until("looped", limit: 60) { looper.loopCount == 4 }
      #expect(record.all == ["status 0 1", "loop 1", "loop 2", "loop 3", "loop 4"])
      #expect(player.currentItem === items[4 % items.count])
      #expect(Set(player.items()) == Set(items))
      #expect(player.timeControlStatus == .playing)
      withExtendedLifetime(observations) {}
    }
  }

  @Test("Loops follow without a gap, for exactly as long as they last", arguments: Clip.allCases)
  func withoutGaps(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVQueuePlayer()
      let range = CMTimeRange(start: seconds(2), duration: seconds(1))
      let looper = AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: stage.url), timeRange: range)
      player.play()
      await stage.until("looped once") { looper.loopCount == 1 }
      let start = stage.scheduler.now
      await stage.until("looped", limit: 60) { looper.loopCount == 31 }
      #expect(abs((stage.scheduler.now - start).seconds - 30) < 0.01)
      let time = player.currentTime()
      #expect(time >= range.start && time < range.end)
      let sink = try #require(stage.sinks.sinks.first)
      #expect(sink.latePlaces.isEmpty)
      withExtendedLifetime(looper) {}
    }
  }

  @Test("Disabled, it plays the present copy out, and what the queue held goes on", arguments: Clip.allCases)
  func disabling(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let existing = AVPlayerItem(url: stage.url)
      let player = AVQueuePlayer(items: [existing])
      player.actionAtItemEnd = .pause
      let range = CMTimeRange(start: .zero, duration: seconds(1))
      let looper = AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: stage.url), timeRange: range)
      player.play()
      await stage.until("looped") { looper.loopCount == 2 }
      #expect(player.items().last === existing)
      #expect(player.actionAtItemEnd == .advance)
      looper.disableLooping()
      #expect(looper.status == .cancelled)
      #expect(player.actionAtItemEnd == .pause)
      #expect(player.items().count == 2)
      await stage.until("played out") { player.rate == 0 }
      #expect(looper.loopCount == 2)
      looper.disableLooping()
      #expect(looper.status == .cancelled)
    }
  }

  @Test func followingExistingItems_theyPlayFirst() async throws {
    try await Stage.run(.fake) { stage in
      let existing = AVPlayerItem(url: stage.url)
      let player = AVQueuePlayer(items: [existing])
      let looper = AVPlayerLooper(
        player: player, templateItem: AVPlayerItem(url: stage.url), timeRange: .invalid,
        existingItemsOrdering: .loopingItemsFollowExistingItems)
      await stage.until("ready") { looper.status == .ready }
      #expect(player.items() == [existing] + looper.loopingPlayerItems)
      player.play()
      await stage.until("the first copy", limit: 60) { player.currentItem === looper.loopingPlayerItems.first }
      #expect(looper.loopCount == 0)
    }
  }

  @Test func whatCantBeLooped_fails() async throws {
    try await Stage.run(.fake) { stage in
      let player = AVQueuePlayer()
      let missing = AVPlayerLooper(
        player: player, templateItem: AVPlayerItem(url: URL(fileURLWithPath: "/nowhere.mp4")))
      await stage.until("failed") { missing.status == .failed }
      #expect(missing.error != nil)
      let beyond = AVPlayerLooper(
        player: player, templateItem: AVPlayerItem(url: stage.url),
        timeRange: CMTimeRange(start: seconds(9), duration: seconds(5)))
      await stage.until("failed") { beyond.status == .failed }
      #expect(player.items().isEmpty)
    }
  }

  @Test("A queue that the app empties stays empty, and an item that it puts in plays alone")
  func emptied() async throws {
    try await Stage.run(.fake) { stage in
      let player = AVQueuePlayer()
      let looper = AVPlayerLooper(
        player: player, templateItem: AVPlayerItem(url: stage.url),
        timeRange: CMTimeRange(start: .zero, duration: seconds(1)))
      player.play()
      await stage.until("looped") { looper.loopCount == 1 }
      player.removeAllItems()
      await stage.sleep(500)
      #expect(player.items().isEmpty && looper.loopCount == 1)
      let item = AVPlayerItem(url: stage.url)
      player.insert(item, after: nil)
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(player.items() == [item])
    }
  }

  @Test func dropped_itLetsTheQueuePlayOut() async throws {
    try await Stage.run(.fake) { stage in
      let player = AVQueuePlayer()
      var looper: AVPlayerLooper? = AVPlayerLooper(
        player: player, templateItem: AVPlayerItem(url: stage.url),
        timeRange: CMTimeRange(start: .zero, duration: seconds(1)))
      player.play()
      let held = try #require(looper)
      await stage.until("looped") { held.loopCount == 2 }
      _ = consume held
      looper = nil
      await stage.until("played out") { player.items().isEmpty }
    }
  }
}
