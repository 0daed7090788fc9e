import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite struct PipelinePlaybackTests {
  private let item = ItemID(1)

  @Test func filmBecomesReadyAndPlaysToItsEndOnce() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(.make())
    let output = VideoFrameOutput(.everyFrame(limit: 1000))
    bench.load(output: output)
    #expect(bench.lines.first == "opened 1 2 tracks")
    #expect(bench.lines.last == "ready 1")
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    bench.advance(2)
    #expect(bench.lines.filter { $0 == "end 1" }.count == 1)
    var numbers: [UInt64] = []
    while let frame = output.takeNext() { numbers.append(frame.picture.checksum()) }
    #expect(numbers == (0..<250).map(UInt64.init))
    #expect(bench.backend.log.counts.misuses.isEmpty)
    #expect(bench.backend.log.counts.opens == 1)
  }

  @Test func soundAloneIsHeardSampleForSample() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    var audio = ScriptedMedia.Audio()
    audio.seconds = 3
    bench.backend.add(.make(video: nil, audio: audio))
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    let played = try #require(bench.devices.sinks.first).played
    #expect(played.count / 2 >= 144_000)
    let wrong = (0..<144_000).first { played[$0 * 2] != FakeTone.value(Int64($0), rate: 48_000) }
    #expect(wrong == nil)
    #expect(bench.entries.contains { if case .started = $0.event { true } else { false } })
  }

  @Test func haltStopsTimeAtOnceAndSoundWithoutAStep() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(.make(video: nil))
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1.5)
    bench.driver.halt()
    let time = bench.time()
    #expect(abs(time.seconds - 1.5) < 0.05)
    bench.advance(1)
    #expect(bench.time() == time)
    let sink = try #require(bench.devices.sinks.first)
    #expect(!sink.isRunning)
    let played = sink.played
    let greatest = stride(from: 2, to: played.count, by: 2).map { abs(played[$0] - played[$0 - 2]) }.max() ?? 0
    #expect(greatest < 0.02)
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    #expect(abs((bench.time() - time).seconds - 1) < 0.05)
  }
}
