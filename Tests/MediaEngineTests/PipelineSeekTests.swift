import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite struct PipelineSeekTests {
  private let item = ItemID(1)

  private func bench(_ video: ScriptedMedia.Video = .init(), seconds: Double = 60) -> (DriverBench, VideoFrameOutput) {
    let bench = DriverBench()
    var video = video
    video.seconds = seconds
    var audio = ScriptedMedia.Audio()
    audio.seconds = seconds
    bench.backend.add(.make(video: video, audio: audio))
    let output = VideoFrameOutput()
    bench.load(output: output)
    return (bench, output)
  }

  private func shown(_ output: VideoFrameOutput, at time: CMTime) -> UInt64? {
    output.frame(at: time)?.picture.checksum()
  }

  @Test func exactSeeksShowTheFrameThatHoldsTheTarget() {
    let (bench, output) = bench()
    defer { bench.finish() }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<60 {
      let milliseconds = Int64.random(in: 0..<60_000, using: &random)
      let target = CMTime(value: milliseconds, timescale: 1000)
      bench.seek(to: target)
      #expect(bench.time() == target)
      #expect(shown(output, at: target) == UInt64(milliseconds / 40))
    }
    #expect(bench.backend.log.counts.misuses.isEmpty)
  }

  @Test func seekWithinTheDecodedGroupNeedsNoSeekOfTheSource() {
    let (bench, output) = bench()
    defer { bench.finish() }
    bench.seek(to: CMTime(value: 30_000, timescale: 1000))
    let (seeks, flushes) = (bench.backend.log.counts.seeks.count, bench.backend.log.counts.videoFlushes)
    bench.seek(to: CMTime(value: 30_200, timescale: 1000))
    #expect(shown(output, at: bench.time()) == 755)
    #expect(bench.backend.log.counts.seeks.count == seeks)
    #expect(bench.backend.log.counts.videoFlushes == flushes)
    bench.seek(to: CMTime(value: 30_040, timescale: 1000))
    #expect(shown(output, at: bench.time()) == 751)
    #expect(bench.backend.log.counts.seeks.count == seeks)
    #expect(bench.backend.log.counts.videoFlushes == flushes + 1)
  }

  @Test func nonReferencesBeforeTheTargetAreLeftOut() {
    let (bench, output) = bench()
    defer { bench.finish() }
    bench.seek(to: CMTime(value: 40_960, timescale: 1000))
    #expect(shown(output, at: bench.time()) == 1024)
    let skipped = bench.backend.log.counts.skipped
    #expect(skipped.count >= 12)
    #expect(skipped.allSatisfy { $0 < 1024 })
  }

  @Test func tolerantSeekLandsOnTheKeyFrame() {
    let (bench, output) = bench()
    defer { bench.finish() }
    bench.seek(to: CMTime(value: 40_960, timescale: 1000), before: .positiveInfinity, after: .positiveInfinity)
    #expect(bench.time() == CMTime(value: 40, timescale: 1))
    #expect(shown(output, at: bench.time()) == 1000)
    bench.seek(to: CMTime(value: 20_960, timescale: 1000), before: CMTime(value: 1, timescale: 10), after: .zero)
    #expect(bench.time() == CMTime(value: 20_960, timescale: 1000))
  }

  @Test func targetsBeyondTheEndShowTheLastFrame() {
    let (bench, output) = bench(seconds: 10)
    defer { bench.finish() }
    for target in [CMTime(value: 10, timescale: 1), CMTime(value: 1_000_000, timescale: 1), .positiveInfinity] {
      bench.seek(to: target)
      #expect(bench.time() == CMTime(value: 10, timescale: 1))
      #expect(shown(output, at: bench.time()) == 249)
      bench.seek(to: CMTime(value: 3, timescale: 1))
      #expect(shown(output, at: bench.time()) == 75)
    }
    #expect(!bench.lines.contains("end 1"))
  }

  @Test func supersededSeeksDoNotLandAndTheLastOneDoes() {
    let (bench, output) = bench()
    defer { bench.finish() }
    var last = SeekID(0)
    for index in 1...40 {
      last = bench.seek(to: CMTime(value: Int64(index * 1_300), timescale: 1000), waits: false)
    }
    let prefix = "landed 1 #\(last.number) "
    #expect(bench.wait { $0.hasPrefix(prefix) })
    #expect(bench.time() == CMTime(value: 52, timescale: 1))
    #expect(shown(output, at: bench.time()) == 1300)
  }

  @Test func seekWhilePlayingGoesOnFromTheTargetWithoutAnOldTime() {
    let (bench, _) = bench()
    defer { bench.finish() }
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(5)
    bench.seek(to: CMTime(value: 50, timescale: 1))
    bench.driver.run(rate: 1, from: nil, at: nil)
    for _ in 0..<20 {
      #expect(bench.time() >= CMTime(value: 50, timescale: 1))
      bench.advance(0.1)
    }
    #expect(abs(bench.time().seconds - 52) < 0.1)
  }

  @Test func seekBeforeReadyIsTheStart() {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(.make())
    var configuration = ItemConfiguration()
    configuration.startSeek = SeekRequest(
      id: SeekID(7), target: CMTime(value: 5, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)
    bench.load(configuration: configuration)
    #expect(bench.lines.suffix(2) == ["landed 1 #7 5/1", "ready 1"])
    #expect(bench.time() == CMTime(value: 5, timescale: 1))
  }

  @Test func stepsMoveByFramesBothWays() {
    let (bench, output) = bench()
    defer { bench.finish() }
    bench.seek(to: CMTime(value: 10, timescale: 1))
    var expected: UInt64 = 250
    for (number, count) in [1, 1, 3, 10, -1, -2, -30, 40, -1].enumerated() {
      let id = SeekID(UInt64(1000 + number))
      bench.driver.step(item, by: count, id: id)
      #expect(bench.wait { $0.hasPrefix("landed 1 #\(id.number) ") })
      expected = UInt64(Int64(expected) + Int64(count))
      #expect(shown(output, at: bench.time()) == expected)
      #expect(bench.time() == CMTime(value: Int64(expected), timescale: 25))
    }
  }
}
