import AVFoundation
import MediaTestSupport
import Testing

/// Ends and queues beyond the table's rows.
@Suite struct QueueRules {
  @Test("forwardPlaybackEndTime is the end; duration does not know of it", arguments: Clip.allCases)
  func forwardEndTime(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      item.forwardPlaybackEndTime = seconds(1)
      // Counts backward only.
      item.reversePlaybackEndTime = seconds(3)
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      await stage.until("paused") { player.timeControlStatus == .paused }
      #expect(abs((player.currentTime() - seconds(1)).seconds) < 0.05)
      #expect(abs(item.duration.seconds - 10) < 0.1)
    }
  }

  @Test("play() at the end does not rewind: it ends again", arguments: Clip.allCases)
  func playAtTheEnd(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      let record = Record()
      let token = stage.note(.AVPlayerItemDidPlayToEndTime, of: item, in: record)
      #expect(await player.seek(to: seconds(9.8), toleranceBefore: .zero, toleranceAfter: .zero))
      player.play()
      await stage.until("ended") { record.all.count == 1 && player.rate == 0 }
      player.play()
      await stage.until("ended again") { record.all.count == 2 && player.rate == 0 }
      #expect(abs((player.currentTime() - item.duration).seconds) < 0.05)
      #expect(await player.seek(to: .zero))
      player.play()
      await stage.until("playing from the start") { player.currentTime() > seconds(0.2) }
      #expect(player.currentTime() < seconds(2))
      token.end()
    }
  }

  @Test("A queue is edited by its items", arguments: Clip.allCases)
  func editing(_ clip: Clip) async throws {
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
      #expect(player.currentItem === third)
      #expect(player.canInsert(second, after: nil))
      player.advanceToNextItem()
      #expect(player.currentItem == nil)
      player.insert(first, after: nil)
      player.insert(second, after: nil)
      player.replaceCurrentItem(with: third)
      #expect(player.items().first === third)
      player.removeAllItems()
      #expect(player.items().isEmpty)
      #expect(player.currentItem == nil)
    }
  }

  @Test("An error in mid-play is posted instead of the end", arguments: Clip.allCases)
  func failureWhilePlaying(_ clip: Clip) async throws {
    try await Stage.run(clip, file: "base.mp4", failAt: 0.5) { stage in
      let (player, item) = await stage.readyPlayer()
      let record = Record()
      let ends = stage.note(.AVPlayerItemDidPlayToEndTime, of: item, in: record) { _ in "ended" }
      let failures = stage.note(.AVPlayerItemFailedToPlayToEndTime, of: item, in: record) { notification in
        let error = notification.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? NSError
        return "failed \(error?.domain ?? "none")"
      }
      player.play()
      await stage.until("failed") { !record.all.isEmpty }
      await stage.until("stopped") { player.rate == 0 && player.timeControlStatus == .paused }
      await stage.sleep(1000)
      #expect(record.all == ["failed \(AVFoundationErrorDomain)"])
      #expect(player.currentItem === item)
      #expect(player.status == .readyToPlay)
      ends.end()
      failures.end()
    }
  }
}
