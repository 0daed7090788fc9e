import AVFoundation
import MediaTestSupport
import Testing

/// Rows 18–25 of the time control table: ends, interruptions, and players that lose their item.
///
/// Row 23 (the live edge) has no test: local media is never live.
@Suite struct EndRows {
  @Test("Row 18: the player pauses at the end and says so once", arguments: Clip.allCases)
  func pauseAtTheEnd(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      let record = Record()
      let token = stage.note(.AVPlayerItemDidPlayToEndTime, of: item, in: record) { [item] notification in
        "ended \((notification.object as? AVPlayerItem) === item)"
      }
      let reasons = Record()
      let rates = stage.note(AVPlayer.rateDidChangeNotification, of: player, in: reasons) { notification in
        (notification.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason)?.rawValue ?? "none"
      }
      #expect(await player.seek(to: seconds(9), toleranceBefore: .zero, toleranceAfter: .zero))
      player.play()
      await stage.until("paused") { player.timeControlStatus == .paused }
      await stage.sleep(1000)
      #expect(record.all == ["ended true"])
      #expect(reasons.all == [AVPlayer.RateDidChangeReason.setRateCalled.rawValue, "none"])
      #expect(player.rate == 0)
      #expect(player.reasonForWaitingToPlay == nil)
      #expect(player.currentItem === item)
      #expect(abs((player.currentTime() - item.duration).seconds) < 0.05)
      token.end()
      rates.end()
    }
  }

  @Test("A song that was cut off ends where it ends, and its error log says why")
  func endOfCutMedia() async throws {
    let whole = try Data(contentsOf: try Fixture.url("tone.flac"))
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("cut-\(UUID().uuidString).flac")
    try whole.prefix(whole.count * 6 / 10).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try await Stage.run(.real) { stage in
      let item = AVPlayerItem(url: url)
      let player = AVPlayer(playerItem: item)
      let record = Record()
      let token = stage.note(.AVPlayerItemDidPlayToEndTime, of: item, in: record) { [item] _ in
        "ended, \(item.errorLog()?.events.map(\.errorStatusCode) ?? [])"
      }
      player.play()
      await stage.until("ended") { !record.all.isEmpty }
      #expect(record.all == ["ended, [\(AVError.Code.fileFailedToParse.rawValue)]"])
      #expect(item.status == .readyToPlay && item.error == nil)
      #expect(abs(item.duration.seconds - 3) < 0.3)
      token.end()
    }
  }

  @Test("Row 19: with action none, rate and state stay and time goes on", arguments: Clip.allCases)
  func goOnAtTheEnd(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      let record = Record()
      let token = stage.note(.AVPlayerItemDidPlayToEndTime, of: item, in: record)
      player.actionAtItemEnd = .none
      #expect(await player.seek(to: seconds(9.5), toleranceBefore: .zero, toleranceAfter: .zero))
      player.play()
      await stage.until("beyond the end") { player.currentTime() > item.duration + seconds(0.5) }
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .playing)
      #expect(player.currentItem === item)
      #expect(record.all == ["posted"])
      player.actionAtItemEnd = .pause
      #expect(player.rate == 0)
      #expect(player.timeControlStatus == .paused)
      token.end()
    }
  }

  @Test("Row 20: a queue goes over to its next item at the same rate", arguments: Clip.allCases)
  func advance(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let items = (0..<2).map { _ in AVPlayerItem(url: stage.url) }
      for item in items { item.forwardPlaybackEndTime = seconds(2) }
      let player = AVQueuePlayer(items: items)
      let record = Record()
      let token = player.observe(\.timeControlStatus) { player, _ in
        record.note("\(player.timeControlStatus.rawValue)")
      }
      player.rate = 1.5
      await stage.until("over to the next") { player.currentItem === items[1] }
      #expect(player.items() == [items[1]])
      #expect(player.rate == 1.5)
      await stage.until("moving") { player.timeControlStatus == .playing && player.currentTime() > seconds(0.2) }
      #expect(!record.all.contains("0"))
      token.invalidate()
    }
  }

  @Test("Row 21 [?]: after its last item a queue waits for another, at its rate", arguments: Clip.allCases)
  func runDry(_ clip: Clip) async throws {
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
      player.play()
      await stage.until("dry", limit: 60) { player.currentItem == nil }
      await stage.until("told") { record.all.count == 2 }
      #expect(record.all == ["0 to 1", "1 to none"])
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .noItemToPlay)
      #expect(await player.seek(to: .zero) == false)
      token.invalidate()
    }
  }

  @Test("Row 22: an interruption pauses with its reason and nothing resumes by itself", arguments: Clip.allCases)
  func interruption(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.playingPlayer()
      let record = Record()
      let token = stage.note(AVPlayer.rateDidChangeNotification, of: player, in: record) { notification in
        (notification.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason)?.rawValue ?? "none"
      }
      stage.sinks.sinks.first?.interrupt(true)
      await stage.until("paused") { player.timeControlStatus == .paused }
      #expect(player.rate == 0)
      #expect(player.reasonForWaitingToPlay == nil)
      await stage.until("told") { record.all == [AVPlayer.RateDidChangeReason.audioSessionInterrupted.rawValue] }
      stage.sinks.sinks.first?.interrupt(false)
      await stage.sleep(1000)
      #expect(player.timeControlStatus == .paused)
      player.play()
      await stage.until("playing again") { player.timeControlStatus == .playing }
      token.end()
    }
  }

  @Test("Row 24: backward, the start pauses with its reason and is posted as an end", arguments: Clip.allCases)
  func startReachedBackward(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      #expect(item.canPlayReverse)
      #expect(await player.seek(to: seconds(1), toleranceBefore: .zero, toleranceAfter: .zero))
      let record = Record()
      let ends = stage.note(.AVPlayerItemDidPlayToEndTime, of: item, in: record) { _ in "ended" }
      let rates = stage.note(AVPlayer.rateDidChangeNotification, of: player, in: record) { notification in
        (notification.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason)?.rawValue ?? "none"
      }
      player.rate = -1
      await stage.until("paused") { player.timeControlStatus == .paused }
      #expect(player.rate == 0)
      #expect(player.currentTime() <= .zero)
      await stage.until("told") { record.count("ended") == 1 }
      #expect(record.all.contains(AVPlayer.RateDidChangeReason.reversePlaybackReachedStartOfSeekableRange.rawValue))
      ends.end()
      rates.end()
    }
  }

  @Test("Row 24: what can't play backward refuses the rate and keeps the old one", arguments: Clip.allCases)
  func backwardRefused(_ clip: Clip) async throws {
    // There is no picture to play backward.
    try await Stage.run(clip, file: "tone.flac", media: .make(video: nil)) { stage in
      let (player, item) = await stage.playingPlayer()
      #expect(!item.canPlayReverse && !item.canPlaySlowReverse && !item.canPlayFastReverse)
      let record = Record()
      let token = stage.note(AVPlayer.rateDidChangeNotification, of: player, in: record) { notification in
        (notification.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason)?.rawValue ?? "none"
      }
      player.rate = -1
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .playing)
      await stage.until("told") { record.all == [AVPlayer.RateDidChangeReason.setRateFailed.rawValue] }
      token.end()
    }
  }

  @Test("Row 25: losing the item keeps the rate and waits for another", arguments: Clip.allCases)
  func loseTheItem(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.playingPlayer()
      player.replaceCurrentItem(with: nil)
      #expect(player.currentItem == nil)
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .noItemToPlay)
      #expect(player.currentTime() == .zero)
      #expect(item.status == .readyToPlay)
      player.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
      await stage.until("the next one plays by itself") { player.timeControlStatus == .playing }
    }
  }
}
