import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// A decoder that costs virtual time: playing backward keeps its speed and leaves frames out.
@Suite struct ReverseOverloadTests {
  private struct Shown {
    var number: Int
    /// Seconds that the picture is behind the clock.
    var late: Double
  }

  /// Plays the first 20 s of 25 frames a second backward with a decoder that takes so long for a frame.
  private func play(milliseconds: Int64, group: Int, rate: Float = -1) -> [Shown] {
    let fake = FakeBackend()
    let slow = SlowBackend(fake) { _ in .milliseconds(milliseconds) }
    let bench = DriverBench(backend: fake, mediaBackend: slow, sources: fake)
    defer { bench.finish() }
    var video = ScriptedMedia.Video()
    (video.seconds, video.group) = (20, group)
    fake.add(.make(video: video, audio: nil))
    let output = VideoFrameOutput()
    let seen = Lock<[Shown]>([])
    let driver = bench.driver
    output.setHandlers(onFrameDue: { frame in
      let end = frame.time + CMTime(value: 1, timescale: 25)
      let late = (end - driver.currentTime(of: ItemID(1))).seconds
      seen.withLock { $0.append(Shown(number: Int(frame.picture.checksum()), late: late)) }
    })
    bench.load(output: output)
    bench.seek(to: CMTime(value: 19, timescale: 1))
    seen.withLock { $0 = [] }
    let begun = bench.scheduler.now
    bench.driver.run(rate: rate, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    let took = (bench.scheduler.now - begun).seconds
    // It begins within the patience that a first piece has, whatever a frame costs.
    #expect(took < 19 / Double(rate.magnitude) + 1, "\(took) s")
    return seen.withLock { $0 }
  }

  @Test("With time enough every frame is shown", arguments: [25, 100])
  func enough(group: Int) {
    let shown = play(milliseconds: 4, group: group)
    #expect(shown.map(\.number).starts(with: (0..<475).reversed()))
  }

  @Test(
    "With less, frames are left out evenly and what is shown is in time", arguments: [20, 40, 100], [-1, -2] as [Float])
  func less(milliseconds: Int64, rate: Float) {
    let shown = play(milliseconds: milliseconds, group: 100, rate: rate)
    let numbers = shown.map(\.number)
    #expect(numbers == numbers.sorted(by: >))
    #expect(shown.allSatisfy { $0.late < 0.2 })
    // Decoding a whole group takes 2, 4 or 10 s of the 4 or 2 that it is shown.
    let cost = Double(milliseconds) / 10 * Double(rate.magnitude) / 4
    #expect(numbers.count >= (cost <= 0.5 ? 380 : cost <= 1 ? 150 : 5), "\(numbers)")
  }
}
