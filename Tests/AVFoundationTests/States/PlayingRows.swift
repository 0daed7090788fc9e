import AVFoundation
import MediaTestSupport
import Testing

/// Rows 10–17 of the time control table: what happens while playing, and playing at once.
@Suite struct PlayingRows {
  @Test("Row 10: a stall keeps the rate, is posted once, and waits", arguments: Clip.allCases)
  func stall(_ clip: Clip) async throws {
    try await Stage.run(clip, file: "base.mp4", stallAt: 0.4) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      let record = Record()
      let token = stage.note(.AVPlayerItemPlaybackStalled, of: item, in: record)
      await stage.until("some of it is loaded") { item.status == .readyToPlay && !item.isPlaybackBufferEmpty }
      player.playImmediately(atRate: 1)
      await stage.until("playing") { player.timeControlStatus == .playing }
      await stage.until("stalled") { record.all == ["posted"] }
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .toMinimizeStalls)
      #expect(item.isPlaybackBufferEmpty)
      #expect(item.accessLog()?.events.last?.numberOfStalls == 1)
      stage.release()
      await stage.until("playing again") { player.timeControlStatus == .playing }
      #expect(record.all == ["posted"])
      token.end()
    }
  }

  @Test("Row 11: without automatic waiting a stall pauses until the app plays again", arguments: Clip.allCases)
  func stallWithoutWaiting(_ clip: Clip) async throws {
    try await Stage.run(clip, file: "base.mp4", stallAt: 0.4) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      player.automaticallyWaitsToMinimizeStalling = false
      let record = Record()
      let token = stage.note(.AVPlayerItemPlaybackStalled, of: item, in: record)
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      await stage.until("paused by the stall") { player.timeControlStatus == .paused }
      #expect(player.rate == 0)
      #expect(player.reasonForWaitingToPlay == nil)
      await stage.until("told") { record.all == ["posted"] }
      stage.release()
      await stage.sleep(1000)
      #expect(player.timeControlStatus == .paused)
      let stopped = player.currentTime()
      player.play()
      await stage.until("playing again") { player.currentTime() > stopped + seconds(0.2) }
      #expect(record.all == ["posted"])
      token.end()
    }
  }

  @Test("Row 12: pause() and rate 0 act at once while playing", arguments: Clip.allCases)
  func pauseWhilePlaying(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.playingPlayer()
      await stage.sleep(500)
      player.pause()
      #expect(player.rate == 0)
      #expect(player.timeControlStatus == .paused)
      #expect(player.reasonForWaitingToPlay == nil)
      await stage.sleep(100)
      let stopped = player.currentTime()
      await stage.sleep(500)
      #expect(player.currentTime() == stopped)
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      player.rate = 0
      #expect(player.timeControlStatus == .paused)
    }
  }

  @Test("Row 12: pause() acts at once while waiting", arguments: Clip.allCases)
  func pauseWhileWaiting(_ clip: Clip) async throws {
    try await Stage.run(clip, stallsAtOpening: true) { stage in
      let player = AVPlayer(url: stage.url)
      player.play()
      await stage.until("waiting") { player.reasonForWaitingToPlay == .toMinimizeStalls }
      player.pause()
      #expect(player.rate == 0)
      #expect(player.timeControlStatus == .paused)
      #expect(player.reasonForWaitingToPlay == nil)
      stage.release()
      await stage.until("ready") { player.currentItem?.status == .readyToPlay }
      await stage.sleep(500)
      #expect(player.timeControlStatus == .paused)
      #expect(player.currentTime() == .zero)
    }
  }

  @Test("Row 13: playImmediately plays whatever is there", arguments: Clip.allCases, [true, false])
  func playImmediately(_ clip: Clip, waits: Bool) async throws {
    try await Stage.run(clip, file: "base.mp4", stallAt: 0.2, isRemote: true) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      player.automaticallyWaitsToMinimizeStalling = waits
      await stage.until("a little is loaded") { item.status == .readyToPlay && !item.isPlaybackBufferEmpty }
      #expect(!item.isPlaybackLikelyToKeepUp)
      player.playImmediately(atRate: 1.5)
      #expect(player.rate == 1.5)
      #expect(player.timeControlStatus == .playing)
      #expect(player.reasonForWaitingToPlay == nil)
      await stage.until("moving") { player.currentTime() > seconds(0.3) }
    }
  }

  @Test("Row 14: playImmediately without data waits, and posts no stall", arguments: Clip.allCases)
  func playImmediatelyWithoutData(_ clip: Clip) async throws {
    try await Stage.run(clip, stallsAtOpening: true) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      let record = Record()
      let token = stage.note(.AVPlayerItemPlaybackStalled, of: item, in: record)
      player.playImmediately(atRate: 2)
      #expect(player.rate == 2)
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .toMinimizeStalls)
      stage.release()
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(player.rate == 2)
      #expect(record.all.isEmpty)
      token.end()
    }
  }

  @Test("Row 14: playImmediately without data or waiting stays paused", arguments: Clip.allCases)
  func playImmediatelyWithoutDataOrWaiting(_ clip: Clip) async throws {
    try await Stage.run(clip, stallsAtOpening: true) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      player.automaticallyWaitsToMinimizeStalling = false
      let record = Record()
      let token = stage.note(.AVPlayerItemPlaybackStalled, of: item, in: record)
      player.playImmediately(atRate: 2)
      #expect(player.rate == 0)
      #expect(player.timeControlStatus == .paused)
      #expect(player.reasonForWaitingToPlay == nil)
      stage.release()
      await stage.until("ready") { item.status == .readyToPlay }
      await stage.sleep(500)
      #expect(player.timeControlStatus == .paused)
      #expect(record.all.isEmpty)
      token.end()
    }
  }

  @Test("Row 15: another rate while playing acts at once and stays playing", arguments: Clip.allCases)
  func anotherRate(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.playingPlayer()
      player.rate = 2
      #expect(player.rate == 2)
      #expect(player.timeControlStatus == .playing)
      #expect(player.defaultRate == 1)
      await stage.sleep(200)
      let start = player.currentTime()
      await stage.sleep(1000)
      #expect(abs((player.currentTime() - start).seconds - 2) < 0.05)
      #expect(player.timeControlStatus == .playing)
      player.play()
      #expect(player.rate == 1)
    }
  }

  @Test("Row 16: a seek into loaded data stays playing", arguments: Clip.allCases)
  func seekIntoLoadedData(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.playingPlayer()
      let record = Record()
      let token = player.observe(\.timeControlStatus) { player, _ in
        record.note("\(player.timeControlStatus.rawValue)")
      }
      #expect(await player.seek(to: seconds(5), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.rate == 1)
      await stage.sleep(500)
      #expect(player.timeControlStatus == .playing)
      #expect(player.currentTime() > seconds(5.3))
      #expect(!record.all.contains("0"))
      token.invalidate()
    }
  }

  @Test("Row 17: a seek beyond the loaded data waits, then plays by itself", arguments: Clip.allCases)
  func seekBeyondLoadedData(_ clip: Clip) async throws {
    try await Stage.run(clip, file: "base.mp4", stallAt: 0.7, isRemote: true) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      let record = Record()
      player.seek(to: seconds(8), toleranceBefore: .zero, toleranceAfter: .zero) { record.note("\($0)") }
      await stage.until("waiting") { player.timeControlStatus == .waitingToPlayAtSpecifiedRate }
      #expect(player.reasonForWaitingToPlay == .evaluatingBufferingRate)
      #expect(player.rate == 1)
      await stage.until("a spinner is due") { player.reasonForWaitingToPlay == .toMinimizeStalls }
      stage.release()
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(record.all == ["true"])
      #expect(player.rate == 1)
      #expect(player.currentTime() >= seconds(8))
    }
  }
}
