import AVFoundation
import MediaTestSupport
import Testing

/// Arguments at the edges of their types end nothing.
@Suite struct AbsurdArguments {
  @Test("Steps of any count stay inside the media", arguments: Clip.allCases)
  func steps(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      #expect(await player.seek(to: seconds(4), toleranceBefore: .zero, toleranceAfter: .zero))
      item.step(byCount: .min)
      await stage.until("at the first frame") { player.currentTime() == .zero }
      item.step(byCount: .max)
      await stage.until("at the last frame") { player.currentTime() > seconds(9.9) }
    }
  }

  static let times = [
    CMTime(value: .max, timescale: 1), CMTime(value: .min, timescale: 1), CMTime(value: .max, timescale: .max),
    CMTime(value: .min, timescale: .max), CMTime(value: 100_000_000_000_000, timescale: 1),
    CMTime(value: -100_000_000_000_000, timescale: 1), CMTime(value: 1, timescale: .max),
  ]

  @Test("Times of any size", arguments: Clip.allCases)
  func times(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      player.automaticallyWaitsToMinimizeStalling = false
      let output = AVPlayerItemVideoOutput()
      item.add(output)
      for time in Self.times {
        let length = CMTimeAbsoluteValue(time)
        item.reversePlaybackEndTime = time
        let tokens = [
          player.addPeriodicTimeObserver(forInterval: length, queue: nil) { _ in },
          player.addBoundaryTimeObserver(forTimes: [NSValue(time: time)], queue: nil) {},
        ]
        let hasLanded = await player.seek(to: time, toleranceBefore: length, toleranceAfter: length)
        #expect(hasLanded)
        #expect(await player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero))
        for rate in [Float(0.25), 2] {
          item.forwardPlaybackEndTime = time
          player.rate = rate
          await stage.sleep(300)
          item.forwardPlaybackEndTime = .invalid
          player.setRate(rate, time: time, atHostTime: .invalid)
          await stage.sleep(100)
          player.setRate(rate, time: .zero, atHostTime: time)
          await stage.sleep(100)
          player.pause()
        }
        _ = output.hasNewPixelBuffer(forItemTime: time)
        _ = output.itemTime(forMachAbsoluteTime: time.value)
        for token in tokens { player.removeTimeObserver(token) }
      }
      #expect(await player.seek(to: seconds(2), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.currentTime() == seconds(2))
    }
  }

  @Test("Numbers that are none")
  func numbers() async throws {
    try await Stage.run(.real) { stage in
      let (player, item) = await stage.readyPlayer()
      player.automaticallyWaitsToMinimizeStalling = false
      player.play()
      for number in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
        let output = AVPlayerItemVideoOutput(pixelBufferAttributes: [
          kCVPixelBufferPixelFormatTypeKey as String: NSNumber(value: number),
          kCVPixelBufferWidthKey as String: NSNumber(value: number),
          kCVPixelBufferHeightKey as String: Int.max,
        ])
        item.add(output)
        _ = output.itemTime(forHostTime: number)
        output.requestNotificationOfMediaDataChange(withAdvanceInterval: number)
        player.volume = Float(number)
        player.rate = Float(number)
        player.defaultRate = Float(number)
        player.playImmediately(atRate: Float(number))
        item.preferredForwardBufferDuration = number
        item.preferredPeakBitRate = number
        await stage.sleep(50)
        _ = output.copyPixelBuffer(forItemTime: item.currentTime(), itemTimeForDisplay: nil)
        player.pause()
        let hasPrerolled = await player.preroll(atRate: Float(number))
        _ = hasPrerolled
        item.remove(output)
      }
      #expect(player.status == .readyToPlay && item.status == .readyToPlay)
    }
  }
}
