import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// One damaged time in a file holds back neither what follows nor the end.
@Suite struct WildTimeTests {
  @Test(
    "A packet a day ahead, or a day back, costs itself at most", arguments: [0, 100], [86_400, -86_400] as [Int64])
  func oneWildTime(number: Int, seconds: Int64) throws {
    let bench = DriverBench()
    defer { bench.finish() }
    var media = ScriptedMedia.make()
    for index in media.samples.indices where media.samples[index].number == number {
      let track = media.tracks[media.samples[index].track]
      media.samples[index].presentationTime +=
        seconds * Int64(track.timeBase.denominator) / Int64(track.timeBase.numerator)
    }
    bench.backend.add(media)
    let output = VideoFrameOutput()
    bench.load(output: output)
    #expect(bench.lines.contains("ready 1"))
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(6)
    #expect(abs(bench.time().seconds - 6) < 0.1)
    let heard = try #require(bench.devices.sinks.first).played
    let tail = heard.suffix(96_000)
    #expect(tail.count { $0 != 0 } > 90_000, "\(tail.count { $0 != 0 })")
    let shown = try #require(output.frame(at: bench.time(), of: ItemID(1)))
    #expect(abs(shown.time.seconds - bench.time().seconds) < 0.05)
    #expect(bench.wait(limit: .seconds(10 as Int64)) { $0 == "end 1" })
    #expect(abs(bench.time().seconds - 10) < 0.1)
  }
}
