import AVFoundation
import MediaTestSupport
import Testing

/// Seeking, second part: limits, tolerances, cancelling, ends, outputs.
@Suite struct SeekRules {
  @Test("cancelPendingSeeks answers false at once", arguments: Clip.allCases)
  func cancel(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      let record = Record()
      player.seek(to: seconds(6), toleranceBefore: .zero, toleranceAfter: .zero) { record.note("\($0)") }
      item.cancelPendingSeeks()
      await stage.until("answered") { !record.all.isEmpty }
      await stage.sleep(500)
      #expect(record.all == ["false"])
    }
  }

  @Test("Targets outside the media are clamped, and infinity is the end", arguments: Clip.allCases)
  func clamped(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      #expect(await player.seek(to: seconds(99), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(abs((player.currentTime() - item.duration).seconds) < 0.05)
      #expect(await player.seek(to: seconds(-5), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.currentTime() == .zero)
      #expect(await player.seek(to: .positiveInfinity))
      #expect(abs((player.currentTime() - item.duration).seconds) < 0.05)
    }
  }

  @Test("Targets in whole seconds land like those of any time scale", arguments: Clip.allCases)
  func wholeSeconds(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      for second in [4, 9, 6] as [Int64] {
        #expect(await player.seek(to: CMTime(value: second * 600, timescale: 600)))
        let landed = player.currentTime()
        #expect(await player.seek(to: .zero))
        #expect(await player.seek(to: CMTime(value: second, timescale: 1)))
        #expect(player.currentTime() == landed)
      }
    }
  }

  @Test("A landing lies within its tolerances", arguments: Clip.allCases)
  func tolerances(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      for target in [0.7, 3.3, 6.1, 8.9] {
        let half = seconds(0.5)
        #expect(await player.seek(to: seconds(target), toleranceBefore: half, toleranceAfter: half))
        #expect(abs(player.currentTime().seconds - target) <= 0.5)
        #expect(await player.seek(to: seconds(target), toleranceBefore: .zero, toleranceAfter: .zero))
        #expect(player.currentTime() == seconds(target))
      }
    }
  }

  @Test("A seek to the very end is no end while paused, but while playing", arguments: Clip.allCases)
  func seekToTheEnd(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      let record = Record()
      let token = stage.note(.AVPlayerItemDidPlayToEndTime, of: item, in: record)
      #expect(await player.seek(to: item.duration, toleranceBefore: .zero, toleranceAfter: .zero))
      await stage.sleep(1000)
      #expect(record.all.isEmpty)
      #expect(await player.seek(to: .zero))
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(await player.seek(to: item.duration, toleranceBefore: .zero, toleranceAfter: .zero))
      await stage.until("ended") { record.all == ["posted"] }
      token.end()
    }
  }

  @Test("Seeking in a completion again and again does not lock up", arguments: Clip.allCases)
  func chasing(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let record = Record()
      @Sendable func chase(_ number: Int) {
        guard number <= 8 else { return }
        player.seek(to: seconds(Double(number)), toleranceBefore: .zero, toleranceAfter: .zero) { finished in
          record.note("\(finished)")
          chase(number + 1)
        }
      }
      chase(1)
      await stage.until("all landed") { record.all.count == 8 }
      #expect(Set(record.all) == ["true"])
      #expect(player.currentTime() == seconds(8))
    }
  }

  @Test("A start position without a completion counts, also for the player", arguments: Clip.allCases)
  func startPosition(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVPlayer(url: stage.url)
      Self.seekWithoutCompletion(player, to: seconds(2.5))
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(player.currentTime() >= seconds(2.5))
      #expect(player.currentTime() < seconds(3))
    }
  }

  /// Asynchronous code would get the asynchronous form.
  private static func seekWithoutCompletion(_ player: AVPlayer, to time: CMTime) {
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  @Test("Pull outputs are told of the flush after each seek", arguments: Clip.allCases)
  func outputsAreFlushed(_ clip: Clip) async throws {
    final class Delegate: NSObject, AVPlayerItemOutputPullDelegate, Sendable {
      let record = Record()
      func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) { record.note("flushed") }
      func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) { record.note("data") }
    }
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      let output = AVPlayerItemVideoOutput()
      let delegate = Delegate()
      output.setDelegate(delegate, queue: .main)
      item.add(output)
      await stage.sleep(500)
      delegate.record.clear()
      output.requestNotificationOfMediaDataChange(withAdvanceInterval: 0.03)
      #expect(await player.seek(to: seconds(6), toleranceBefore: .zero, toleranceAfter: .zero))
      await stage.until("flushed") { delegate.record.count("flushed") == 1 }
      await stage.until("asked once, told once") { delegate.record.count("data") == 1 }
      #expect(output.hasNewPixelBuffer(forItemTime: seconds(6)))
    }
  }

  @Test("Steps move by frames while paused, both ways", arguments: Clip.allCases)
  func steps(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      #expect(item.canStepForward && item.canStepBackward)
      #expect(await player.seek(to: seconds(4), toleranceBefore: .zero, toleranceAfter: .zero))
      let frame = stage.clip == .fake ? 1.0 / 25 : 1.0 / 30
      item.step(byCount: 2)
      await stage.until("two on") { abs(player.currentTime().seconds - 4 - 2 * frame) < 0.002 }
      item.step(byCount: -3)
      await stage.until("three back") { abs(player.currentTime().seconds - 4 + frame) < 0.002 }
      #expect(player.rate == 0)
    }
  }
}
