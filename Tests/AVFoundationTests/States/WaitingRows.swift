import AVFoundation
import MediaTestSupport
import Testing

/// Rows 1–9 of the time control table (Docs/StateChoices.md): a paused or waiting player is told to play.
@Suite struct WaitingRows {
  @Test("Rows 1, 8: play() without an item waits for one, which then plays by itself", arguments: Clip.allCases)
  func playWithoutAnItem(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVPlayer()
      player.defaultRate = 1.5
      player.play()
      #expect(player.rate == 1.5)
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .noItemToPlay)
      player.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
      #expect(player.reasonForWaitingToPlay == .evaluatingBufferingRate)
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(player.rate == 1.5)
      #expect(player.reasonForWaitingToPlay == nil)
    }
  }

  @Test("Row 8: an item inserted into an empty queue that waits plays by itself", arguments: Clip.allCases)
  func insertingIntoAWaitingQueue(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVQueuePlayer()
      player.play()
      #expect(player.reasonForWaitingToPlay == .noItemToPlay)
      player.insert(AVPlayerItem(url: stage.url), after: nil)
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(player.rate == 1)
    }
  }

  @Test("Row 2 [?]: the same without automatic waiting", arguments: Clip.allCases)
  func playWithoutAnItemOrWaiting(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVPlayer()
      player.automaticallyWaitsToMinimizeStalling = false
      player.play()
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .noItemToPlay)
      player.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
      await stage.until("playing") { player.timeControlStatus == .playing }
    }
  }

  @Test("Row 3: play() before ready evaluates briefly, and plays by itself", arguments: Clip.allCases)
  func playBeforeReady(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVPlayer(url: stage.url)
      player.play()
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .evaluatingBufferingRate)
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(player.reasonForWaitingToPlay == nil)
      let start = player.currentTime()
      await stage.sleep(1000)
      #expect(abs((player.currentTime() - start).seconds - 1) < 0.01)
    }
  }

  @Test("Row 3: loading that takes long waits to minimize stalls", arguments: Clip.allCases)
  func longLoading(_ clip: Clip) async throws {
    try await Stage.run(clip, stallsAtOpening: true) { stage in
      let player = AVPlayer(url: stage.url)
      player.play()
      #expect(player.reasonForWaitingToPlay == .evaluatingBufferingRate)
      await stage.until("a spinner is due") { player.reasonForWaitingToPlay == .toMinimizeStalls }
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.rate == 1)
      stage.release()
      await stage.until("playing") { player.timeControlStatus == .playing }
    }
  }

  @Test("Row 4: play() with enough data evaluates and plays, at the default rate", arguments: Clip.allCases)
  func playWhenReady(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      player.defaultRate = 2
      #expect(player.rate == 0)
      let record = Record()
      let token = player.observe(\.timeControlStatus, options: [.new]) { player, _ in
        record.note("\(player.timeControlStatus.rawValue) \(player.reasonForWaitingToPlay?.rawValue ?? "nil")")
      }
      player.play()
      #expect(player.rate == 2)
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(player.reasonForWaitingToPlay == nil)
      #expect(!record.all.contains { $0.contains("MinimizeStalls") })
      token.invalidate()
    }
  }

  @Test("Row 5: without automatic waiting play() with data plays at once", arguments: Clip.allCases)
  func playAtOnce(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      player.automaticallyWaitsToMinimizeStalling = false
      player.play()
      #expect(player.rate == 1)
      #expect(player.timeControlStatus == .playing)
      #expect(player.reasonForWaitingToPlay == nil)
      await stage.sleep(1000)
      #expect(player.currentTime() > seconds(0.8))
    }
  }

  @Test("Row 6 [?]: without automatic waiting play() waits for the first data only", arguments: Clip.allCases)
  func playWithoutData(_ clip: Clip) async throws {
    try await Stage.run(clip, stallsAtOpening: true) { stage in
      let player = AVPlayer(url: stage.url)
      player.automaticallyWaitsToMinimizeStalling = false
      player.play()
      for _ in 0..<5 {
        #expect(player.rate == 1)
        #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        #expect(player.reasonForWaitingToPlay == .evaluatingBufferingRate)
        await stage.sleep(200)
      }
      stage.release()
      await stage.until("playing") { player.timeControlStatus == .playing }
    }
  }

  @Test("Row 7: a waiting player plays as soon as playing through is likely", arguments: Clip.allCases)
  func likelyAgain(_ clip: Clip) async throws {
    try await Stage.run(clip, file: "base.mp4", stallAt: 0.2, isRemote: true) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      player.play()
      await stage.until("waiting with something loaded") {
        player.reasonForWaitingToPlay == .toMinimizeStalls && !item.isPlaybackBufferEmpty
      }
      #expect(!item.isPlaybackLikelyToKeepUp)
      #expect(player.currentTime() == .zero)
      stage.release()
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(item.isPlaybackLikelyToKeepUp)
      #expect(player.reasonForWaitingToPlay == nil)
      #expect(player.rate == 1)
    }
  }

  @Test("Row 9: giving up automatic waiting plays what is there", arguments: Clip.allCases)
  func waitingIsGivenUp(_ clip: Clip) async throws {
    try await Stage.run(clip, file: "base.mp4", stallAt: 0.2, isRemote: true) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      player.play()
      await stage.until("waiting with something loaded") {
        player.reasonForWaitingToPlay == .toMinimizeStalls && !item.isPlaybackBufferEmpty
      }
      player.automaticallyWaitsToMinimizeStalling = false
      #expect(player.reasonForWaitingToPlay != .toMinimizeStalls)
      #expect(player.rate == 1)
      await stage.until("moving") { player.timeControlStatus == .playing && player.currentTime() > seconds(0.2) }
    }
  }

  @Test("Row 9: without any data it waits on, but not to minimize stalls", arguments: Clip.allCases)
  func waitingIsGivenUpWithoutData(_ clip: Clip) async throws {
    try await Stage.run(clip, stallsAtOpening: true) { stage in
      let player = AVPlayer(url: stage.url)
      player.play()
      await stage.until("a spinner is due") { player.reasonForWaitingToPlay == .toMinimizeStalls }
      player.automaticallyWaitsToMinimizeStalling = false
      #expect(player.reasonForWaitingToPlay == .evaluatingBufferingRate)
      stage.release()
      await stage.until("playing") { player.timeControlStatus == .playing }
    }
  }
}
