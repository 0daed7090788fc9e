import AVFoundation
import MediaTestSupport
import Testing

/// The table of `timeControlStatus` transitions, through the façade, on made-up samples and on a real file.
@Suite struct TimeControlRows {
  @Test(arguments: Clip.allCases)
  func playWithoutAnItemWaitsForOne(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVPlayer()
      player.play()
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .noItemToPlay)
      player.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(player.rate == 1)
      #expect(player.reasonForWaitingToPlay == nil)
    }
  }

  @Test(arguments: Clip.allCases)
  func playBeforeReadyEvaluatesThenPlaysByItself(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVPlayer(url: stage.url)
      player.play()
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .evaluatingBufferingRate)
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(player.reasonForWaitingToPlay == nil)
      let start = player.currentTime()
      await stage.sleep(1000)
      #expect(abs((player.currentTime() - start).seconds - 1) < 0.01)
    }
  }

  @Test(arguments: Clip.allCases)
  func stalledLoadingWaitsToMinimizeStalls(_ clip: Clip) async throws {
    try await Stage.run(clip, stallsAtOpening: true) { stage in
      let player = AVPlayer(url: stage.url)
      player.play()
      await stage.until("a spinner is due") { player.reasonForWaitingToPlay == .toMinimizeStalls }
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      player.automaticallyWaitsToMinimizeStalling = false
      #expect(player.reasonForWaitingToPlay != .toMinimizeStalls)
      stage.release()
      await stage.until("playing") { player.timeControlStatus == .playing }
    }
  }

  @Test(arguments: Clip.allCases)
  func playWhenReadyPlaysAtTheDefaultRate(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      player.defaultRate = 2
      #expect(player.rate == 0)
      player.play()
      #expect(player.rate == 2)
      await stage.until("playing") { player.timeControlStatus == .playing }
      player.rate = 1
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .playing)
      #expect(player.defaultRate == 2)
      player.play()
      #expect(player.rate == 2)
    }
  }

  @Test(arguments: Clip.allCases)
  func pauseIsImmediate(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      await stage.sleep(500)
      player.pause()
      #expect(player.rate == 0)
      #expect(player.timeControlStatus == .paused)
      #expect(player.reasonForWaitingToPlay == nil)
      let stopped = player.currentTime()
      await stage.sleep(500)
      #expect(abs((player.currentTime() - stopped).seconds) < 0.1)
    }
  }

  @Test(arguments: Clip.allCases)
  func stallWhilePlayingKeepsTheRateAndWaits(_ clip: Clip) async throws {
    try await Stage.run(clip, file: "base.mp4", stallAt: 0.4) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      let record = Record()
      let token = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemPlaybackStalled, object: item, queue: nil
      ) { _ in record.note("stalled") }
      await stage.until("some of it is loaded") { item.status == .readyToPlay && !item.isPlaybackBufferEmpty }
      player.playImmediately(atRate: 1)
      await stage.until("playing") { player.timeControlStatus == .playing }
      await stage.until("stalled") { record.count("stalled") == 1 }
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .toMinimizeStalls)
      #expect(item.isPlaybackBufferEmpty)
      stage.release()
      await stage.until("playing again") { player.timeControlStatus == .playing }
      #expect(record.count("stalled") == 1)
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test(arguments: Clip.allCases)
  func stallWithoutWaitingPauses(_ clip: Clip) async throws {
    try await Stage.run(clip, file: "base.mp4", stallAt: 0.4) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      player.automaticallyWaitsToMinimizeStalling = false
      let record = Record()
      let token = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemPlaybackStalled, object: item, queue: nil
      ) { _ in record.note("stalled") }
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      await stage.until("paused by the stall") { player.timeControlStatus == .paused }
      #expect(player.rate == 0)
      await stage.until("told") { record.count("stalled") == 1 }
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test(arguments: Clip.allCases)
  func withoutAnItemAgainTheRateStays(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      player.replaceCurrentItem(with: nil)
      #expect(player.currentItem == nil)
      #expect(player.rate == 1)
      #expect(player.reasonForWaitingToPlay == .noItemToPlay)
      #expect(player.currentTime() == .zero)
      #expect(item.status == .readyToPlay)
      player.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
      await stage.until("the next one plays by itself") { player.timeControlStatus == .playing }
    }
  }
}
