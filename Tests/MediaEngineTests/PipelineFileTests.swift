import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// Real files through real decoders, on virtual time.
@Suite struct PipelineFileTests {
  @Test func bundledFilmPlaysWithEveryFrameInOrderAndOneEnd() throws {
    let bench = DriverBench.files()
    defer { bench.finish() }
    let output = VideoFrameOutput(.everyFrame(limit: 4))
    let frames = Lock<[VideoFrame]>([])
    output.setHandlers(onDataAvailable: { [weak output] in
      while let frame = output?.takeNext() { frames.withLock { $0.append(frame) } }
    })
    bench.load(file: try Fixture.film(), output: output)
    #expect(bench.lines.contains("ready 1"))
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    let times = frames.withLock { $0.map(\.time) }
    #expect(times.count > 20)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(bench.lines.filter { $0 == "end 1" }.count == 1)
    let played = try #require(bench.devices.sinks.first).played
    #expect(played.contains { abs($0) > 0.01 })
  }

  @Test func exactSeeksInTheBundledFilmShowTheFrameWithThatNumber() throws {
    let bench = DriverBench.files()
    defer { bench.finish() }
    let output = VideoFrameOutput()
    bench.load(file: try Fixture.film(), output: output)
    for milliseconds in [3_210, 500, 2_000, 2_040, 2_100, 40, 4_000, 0, 1_999] as [Int64] {
      let target = CMTime(value: milliseconds, timescale: 1000)
      bench.seek(to: target)
      let frame = try #require(output.frame(at: target), "\(bench.lines.suffix(4)) \(output.window.map(\.dump))")
      #expect(frame.time <= target)
      #expect(target.seconds - frame.time.seconds < 0.05)
      #expect(bench.time() == target)
    }
  }
}
