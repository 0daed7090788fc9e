import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// Preroll, end times, and starts at a given host time, on the production pipeline.
@Suite struct PipelineTransportTests {
  private let item = ItemID(1)

  private func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds, timescale: 1_000) }

  private func bench(_ configuration: ItemConfiguration = .init(), audio: Bool = true) -> (
    DriverBench, VideoFrameOutput
  ) {
    let bench = DriverBench()
    bench.backend.add(.make(audio: audio ? .init() : nil))
    let output = VideoFrameOutput()
    bench.load(configuration: configuration, output: output)
    return (bench, output)
  }

  @Test("Preroll is answered once all is decoded, and a start follows without a wait")
  func prerollThenStart() {
    let (bench, _) = bench()
    defer { bench.finish() }
    bench.seek(to: time(4_000))
    bench.driver.preroll(item, rate: 1)
    #expect(bench.wait { $0 == "prerolled 1 true" })
    let begin = bench.scheduler.elapsed
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "started 1 1.0" })
    #expect(bench.scheduler.elapsed - begin < .milliseconds(30))
  }

  @Test("A seek gives up a preroll that waits for data")
  func seekGivesUpPreroll() {
    let bench = DriverBench()
    defer { bench.finish() }
    let media = ScriptedMedia.make()
    var script = ScriptedByteSource.Script()
    script.mayBlock = true
    script.happenings[media.byteLength / 2] = .stall
    bench.backend.add(media, script: script)
    bench.load()
    bench.seek(to: time(9_000), waits: false)
    bench.advance(1)
    bench.driver.preroll(item, rate: 1)
    bench.advance(1)
    #expect(!bench.lines.contains { $0.hasPrefix("prerolled") })
    bench.seek(to: time(1_000))
    #expect(bench.lines.filter { $0.hasPrefix("prerolled") } == ["prerolled 1 false"])
  }

  @Test(
    "forwardPlaybackEndTime is the end, for picture and sound, and may change while playing", arguments: [true, false])
  func forwardEnd(audio: Bool) throws {
    var configuration = ItemConfiguration()
    configuration.forwardEndTime = time(3_000)
    let (bench, _) = bench(configuration, audio: audio)
    defer { bench.finish() }
    let begin = bench.scheduler.elapsed
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    configuration.forwardEndTime = time(2_000)
    bench.driver.reconfigure(item, configuration)
    #expect(bench.wait { $0 == "end 1" })
    #expect(abs((bench.scheduler.elapsed - begin).seconds - 2) < 0.05)
    bench.driver.halt()
    bench.advance(1)
    #expect(bench.lines.filter { $0 == "end 1" }.count == 1)
    guard audio else { return }
    let played = try #require(bench.devices.sinks.first).played
    #expect(played[(2 * 96_500)...].allSatisfy { $0 == 0 })
    #expect(played[(2 * 95_000)..<(2 * 95_900)].contains { $0 != 0 })
  }

  @Test("An end time behind the media's end changes nothing, and a reverse end time nothing while playing forward")
  func endTimesWithoutEffect() {
    var configuration = ItemConfiguration()
    configuration.forwardEndTime = time(60_000)
    configuration.reverseEndTime = time(5_000)
    let (bench, _) = bench(configuration)
    defer { bench.finish() }
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    #expect(abs(bench.time().seconds - 10) < 0.05)
  }

  @Test("A start at a host time has its item time exactly then", arguments: [true, false])
  func startAtHostTime(audio: Bool) {
    let (bench, output) = bench(audio: audio)
    defer { bench.finish() }
    let host = bench.scheduler.now + .milliseconds(700)
    bench.driver.run(rate: 1, from: time(3_040), at: host)
    bench.advance(0.5)
    #expect(bench.time() == time(3_040))
    #expect(output.frame(at: time(3_040))?.picture.checksum() == 76)
    bench.advance(1.2)
    #expect(abs(bench.time().seconds - 4.04) < 0.000_1)
    #expect(abs((bench.driver.hostTime(of: time(5_040), in: item).map { ($0 - host).seconds } ?? 0) - 2) < 0.000_1)
  }

  @Test("A start at a host time that has passed is where it would be by now")
  func startInThePast() {
    let (bench, _) = bench()
    defer { bench.finish() }
    bench.advance(1)
    bench.driver.run(rate: 2, from: time(1_000), at: bench.scheduler.now - .milliseconds(500))
    bench.advance(0.5)
    #expect(abs(bench.time().seconds - 3) < 0.01)
  }
}
