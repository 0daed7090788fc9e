import AVFoundation
import MediaTestSupport
import Testing

/// Buffers, ranges and what an item can do.
@Suite struct RangeRules {
  @Test("A local item is seekable and loaded as a whole, and likely to keep up", arguments: Clip.allCases)
  func localRanges(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (_, item) = await stage.readyPlayer()
      let whole = CMTimeRange(start: .zero, duration: item.duration)
      #expect(item.seekableTimeRanges.map(\.timeRangeValue) == [whole])
      #expect(item.loadedTimeRanges.map(\.timeRangeValue) == [whole])
      #expect(item.isPlaybackLikelyToKeepUp)
      #expect(!item.isPlaybackBufferEmpty)
      #expect(item.preferredForwardBufferDuration == 0)
      #expect(item.preferredPeakBitRate == 0)
      #expect(item.preferredMaximumResolution == .zero)
      #expect(!item.configuredTimeOffsetFromLive.isValid)
      #expect(!item.automaticallyPreservesTimeOffsetFromLive)
      #expect(!item.canUseNetworkResourcesForLiveStreamingWhilePaused)
    }
  }

  @Test("What comes bit by bit is loaded around the playhead only", arguments: Clip.allCases)
  func growingRanges(_ clip: Clip) async throws {
    try await Stage.run(clip, file: "base.mp4", stallAt: 0.3, isRemote: true) { stage in
      let item = AVPlayerItem(url: stage.url)
      let player = AVPlayer(playerItem: item)
      await stage.until("something is loaded") { item.status == .readyToPlay && !item.loadedTimeRanges.isEmpty }
      await stage.sleep(200)
      let end = try #require(item.loadedTimeRanges.last?.timeRangeValue.end)
      #expect(end > .zero && end < seconds(6))
      let record = Record()
      let token = item.observe(\.loadedTimeRanges) { item, _ in
        record.note("\(item.loadedTimeRanges.last?.timeRangeValue.end.seconds ?? 0)")
      }
      stage.release()
      await stage.until("all of it") { (item.loadedTimeRanges.last?.timeRangeValue.end ?? .zero) > seconds(9.5) }
      #expect(!record.all.isEmpty)
      token.invalidate()
      withExtendedLifetime(player) {}
    }
  }

  @Test("A buffer that was full and gets no more says so before it is empty")
  func fullBufferThatIsNotFilledAgain() async throws {
    var video = ScriptedMedia.Video()
    video.seconds = 20
    var audio = ScriptedMedia.Audio()
    audio.seconds = 20
    let media = ScriptedMedia.make(video: video, audio: audio)
    try await Stage.run(.fake, media: media, stallAt: 0.6, isRemote: true) { stage in
      let item = AVPlayerItem(url: stage.url)
      item.preferredForwardBufferDuration = 6
      let player = AVPlayer(playerItem: item)
      await stage.until("full") { item.isPlaybackBufferFull }
      player.play()
      await stage.until("unlikely to keep up") { !item.isPlaybackLikelyToKeepUp }
      #expect(player.timeControlStatus == .playing)
      #expect(!item.isPlaybackBufferEmpty)
      await stage.until("empty") { item.isPlaybackBufferEmpty }
      await stage.until("stalled") { player.reasonForWaitingToPlay == .toMinimizeStalls }
      let stopped = player.currentTime()
      stage.release()
      await stage.until("playing again") { player.currentTime() > stopped + seconds(0.2) }
      #expect(!item.isPlaybackBufferEmpty)
    }
  }

  @Test("Rates between 1 and 2 are always possible; more is said when ready", arguments: Clip.allCases)
  func capabilities(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let item = AVPlayerItem(url: stage.url)
      #expect(!item.canPlayFastForward && !item.canPlaySlowForward && !item.canPlayReverse && !item.canStepForward)
      let player = AVPlayer(playerItem: item)
      await stage.until("ready") { item.status == .readyToPlay }
      #expect(item.canStepForward && item.canStepBackward)
      player.rate = 2
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(player.rate == 2)
      player.rate = 3
      #expect(player.rate == (item.canPlayFastForward ? 3 : 2))
      player.rate = 0.5
      #expect(item.canPlaySlowForward ? player.rate == 0.5 : player.rate != 0.5)
    }
  }

  @Test("The four variables of state keep their invariants through a life", arguments: Clip.allCases)
  func defaults(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVPlayer()
      #expect(player.status == .unknown && player.error == nil)
      #expect(player.timeControlStatus == .paused && player.rate == 0 && player.reasonForWaitingToPlay == nil)
      #expect(player.automaticallyWaitsToMinimizeStalling)
      #expect(player.actionAtItemEnd == .pause)
      #expect(AVQueuePlayer().actionAtItemEnd == .advance)
      #expect(player.volume == 1 && !player.isMuted && player.appliesMediaSelectionCriteriaAutomatically)
      #expect(player.currentTime() == .zero && player.currentItem == nil)
    }
  }
}
