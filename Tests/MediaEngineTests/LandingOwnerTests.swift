import CoreMedia
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Every landing ends, whatever becomes of the tracks that it waits for, and steps count from where it ends.
@Suite struct LandingOwnerTests {
  private let item = ItemID(1)

  private func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds, timescale: 1_000) }

  private func bench(video: Bool = true, audio: Bool = true, _ configuration: ItemConfiguration = .init())
    -> DriverBench
  {
    let bench = DriverBench()
    bench.backend.add(.make(video: video ? .init() : nil, audio: audio ? .init() : nil))
    bench.load(configuration: configuration)
    return bench
  }

  private func without(_ tracks: Set<Int32>) -> ItemConfiguration {
    var configuration = ItemConfiguration()
    configuration.disabledTracks = tracks
    return configuration
  }

  @Test("Steps asked for while a seek or a step lands add up from there", arguments: [false, true])
  func stepsDuringLanding(afterSeek: Bool) {
    let bench = bench()
    defer { bench.finish() }
    bench.seek(to: time(5_000))
    if afterSeek {
      bench.seek(to: time(3_920), waits: false)
      for number in 101...103 as ClosedRange<UInt64> { bench.driver.step(item, by: 1, id: SeekID(number)) }
      #expect(bench.wait { $0.hasPrefix("landed 1 #103 ") })
      #expect(bench.time() == time(4_040))
    } else {
      for number in 101...103 as ClosedRange<UInt64> { bench.driver.step(item, by: -1, id: SeekID(number)) }
      #expect(bench.wait { $0.hasPrefix("landed 1 #103 ") })
      #expect(bench.time() == time(4_880))
      bench.driver.step(item, by: 2, id: SeekID(104))
      bench.driver.step(item, by: -2, id: SeekID(105))
      #expect(bench.wait { $0.hasPrefix("landed 1 #105 ") })
      #expect(bench.time() == time(4_880))
    }
    // Nothing is left over that would keep it from playing.
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "started 1 1.0" })
  }

  @Test("A seek that follows steps in waiting is the last word")
  func seekAfterSteps() {
    let bench = bench()
    defer { bench.finish() }
    bench.seek(to: time(5_000), waits: false)
    bench.driver.step(item, by: 3, id: SeekID(101))
    bench.seek(to: time(2_000))
    bench.advance(1)
    #expect(bench.time() == time(2_000))
  }

  @Test("A seek is answered when the picture is switched on or off while it lands", arguments: [false, true])
  func pictureSwitched(isOn: Bool) {
    let bench = bench(without(isOn ? [1] : []))
    defer { bench.finish() }
    let seek = bench.seek(to: time(6_000), waits: false)
    bench.driver.reconfigure(item, without(isOn ? [] : [1]))
    #expect(bench.wait { $0.hasPrefix("landed 1 #\(seek.number) ") })
    #expect(bench.time() == time(6_000))
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    #expect(bench.time() > time(6_800))
  }

  @Test("With every track off it is ready, seeks are answered, time runs, and the end comes")
  func nothingPlays() {
    for (video, audio) in [(true, true), (true, false), (false, true)] {
      let all = without([1, 2])
      let bench = bench(video: video, audio: audio, all)
      defer { bench.finish() }
      #expect(bench.lines.contains("ready 1"))
      #expect(bench.lines.contains { $0 == "buffer 1 empty=false full=false likely=true" })
      let seek = bench.seek(to: time(8_000))
      #expect(bench.lines.contains { $0.hasPrefix("landed 1 #\(seek.number) ") })
      bench.driver.run(rate: 1, from: nil, at: nil)
      bench.advance(1)
      #expect(bench.time() == time(9_000))
      #expect(bench.wait { $0 == "end 1" })
    }
  }

  @Test("The last track switched off while a seek lands ends the seek", arguments: [true, false])
  func lastTrackGoes(video: Bool) {
    let bench = bench(video: video, audio: !video)
    defer { bench.finish() }
    let seek = bench.seek(to: time(6_000), waits: false)
    bench.driver.reconfigure(item, without([1]))
    #expect(bench.wait { $0.hasPrefix("landed 1 #\(seek.number) ") })
  }

  @Test("A picture switched on after seconds without it is shown, and time goes on")
  func rejoins() {
    let bench = bench(audio: false)
    defer { bench.finish() }
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    bench.driver.reconfigure(item, without([1]))
    bench.advance(5)
    bench.driver.reconfigure(item, ItemConfiguration())
    bench.advance(1)
    let before = bench.time().seconds
    #expect(before > 6)
    bench.advance(1)
    #expect(abs(bench.time().seconds - before - 1) < 0.001)
    #expect(bench.wait { $0 == "end 1" })
  }

  @Test("The duration stays what it is when the longer track is switched off")
  func durationWithoutTheLongest() {
    var video = ScriptedMedia.Video()
    video.seconds = 3
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(.make(video: video))
    bench.load(configuration: without([2]))
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    #expect(!bench.lines.contains { $0.hasPrefix("description") })
  }
}
