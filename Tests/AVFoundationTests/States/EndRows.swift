import AVFoundation
import MediaTestSupport
import Testing

/// What happens at the end, and in queues.
@Suite struct EndRows {
  @Test(arguments: Clip.allCases)
  func thePlayerPausesAtTheEndAndSaysSoOnce(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      let record = Record()
      let token = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil
      ) { notification in
        record.note("ended \((notification.object as? AVPlayerItem) === item)")
      }
      #expect(await player.seek(to: seconds(9), toleranceBefore: .zero, toleranceAfter: .zero))
      player.play()
      await stage.until("paused") { player.timeControlStatus == .paused }
      await stage.sleep(1000)
      #expect(record.all == ["ended true"])
      #expect(player.rate == 0)
      #expect(player.currentItem === item)
      #expect(abs((player.currentTime() - item.duration).seconds) < 0.05)
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test(arguments: Clip.allCases)
  func withActionNoneTimeGoesOn(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      player.actionAtItemEnd = .none
      #expect(await player.seek(to: seconds(9.5), toleranceBefore: .zero, toleranceAfter: .zero))
      player.play()
      await stage.until("beyond the end") { player.currentTime() > item.duration + seconds(0.5) }
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .playing)
    }
  }

  @Test(arguments: Clip.allCases)
  func forwardPlaybackEndTimeIsTheEnd(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      item.forwardPlaybackEndTime = seconds(1)
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      await stage.until("paused") { player.timeControlStatus == .paused }
      #expect(abs((player.currentTime() - seconds(1)).seconds) < 0.05)
      #expect(abs(item.duration.seconds - 10) < 0.1)
    }
  }

  @Test(arguments: Clip.allCases)
  func aQueueAdvancesAndRunsDry(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let items = (0..<2).map { _ in AVPlayerItem(url: stage.url) }
      for item in items { item.forwardPlaybackEndTime = seconds(1) }
      let player = AVQueuePlayer(items: items)
      let record = Record()
      let number = { @Sendable (item: AVPlayerItem?) in items.firstIndex { $0 === item }.map { "\($0)" } ?? "none" }
      let token = player.observe(\.currentItem, options: [.old, .new]) { _, change in
        record.note("\(number(change.oldValue ?? nil)) to \(number(change.newValue ?? nil))")
      }
      #expect(player.actionAtItemEnd == .advance)
      #expect(player.items().count == 2)
      player.play()
      await stage.until("dry", limit: 60) { player.currentItem == nil }
      await stage.until("told") { record.all.count == 2 }
      #expect(record.all == ["0 to 1", "1 to none"])
      #expect(player.reasonForWaitingToPlay == .noItemToPlay)
      token.invalidate()
    }
  }

  @Test(arguments: Clip.allCases)
  func aQueueIsEditedByItsItems(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (first, second, third) = (
        AVPlayerItem(url: stage.url), AVPlayerItem(url: stage.url), AVPlayerItem(url: stage.url)
      )
      let player = AVQueuePlayer(items: [first, third])
      #expect(!player.canInsert(first, after: nil))
      #expect(player.canInsert(second, after: first))
      player.insert(second, after: first)
      #expect(player.items() == [first, second, third])
      player.advanceToNextItem()
      #expect(player.currentItem === second)
      #expect(player.items() == [second, third])
      player.remove(second)
      #expect(player.items() == [third])
      #expect(player.canInsert(second, after: nil))
      player.removeAllItems()
      #expect(player.items().isEmpty)
      #expect(player.currentItem == nil)
    }
  }
}
