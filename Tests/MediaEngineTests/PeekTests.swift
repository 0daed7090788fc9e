import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// A paused seek that may land on a key frame decodes that frame and no other, and what follows it comes whole.
@Suite struct PeekTests {
  private let item = ItemID(1)

  private func bench() -> (DriverBench, VideoFrameOutput) {
    let bench = DriverBench()
    var video = ScriptedMedia.Video()
    video.seconds = 60
    var audio = ScriptedMedia.Audio()
    audio.seconds = 60
    bench.backend.add(.make(video: video, audio: audio))
    let output = VideoFrameOutput()
    bench.load(output: output)
    bench.advance(1)
    return (bench, output)
  }

  private func shown(_ output: VideoFrameOutput, at time: CMTime) -> UInt64? {
    output.frame(at: time)?.picture.checksum()
  }

  /// At 40.96 s; the key frame at 40 s has the number 1000.
  private func peek(_ bench: DriverBench, isPaused: Bool = true) {
    bench.seek(
      to: CMTime(value: 40_960, timescale: 1_000), before: .positiveInfinity, after: .positiveInfinity,
      isPaused: isPaused)
  }

  @Test func onePacketIsDecodedForThePicture() {
    let (bench, output) = bench()
    defer { bench.finish() }
    let before = bench.backend.log.counts.videoPackets
    peek(bench)
    #expect(shown(output, at: bench.time()) == 1_000)
    bench.advance(0.1)
    let decoded = bench.backend.log.counts.videoPackets - before
    #expect(decoded == 1)
    // With time to spare the next frame is made ready, for a step.
    bench.advance(0.2)
    let later = bench.backend.log.counts.videoPackets - before
    #expect(later > 2)
    #expect(bench.backend.log.counts.misuses.isEmpty)
  }

  @Test("What playing needs is read and decoded once 150 ms have passed without another seek")
  func theRestWaits() {
    let (bench, _) = bench()
    defer { bench.finish() }
    let before = bench.backend.log.counts
    peek(bench)
    bench.advance(0.14)
    let picture = bench.backend.log.counts
    // The fake's sound of the last 0.3 s lies before the key frame.
    #expect(picture.packetsRead - before.packetsRead < 20)
    #expect(picture.audioDecoders == before.audioDecoders)
    bench.advance(0.02)
    let rest = bench.backend.log.counts
    #expect(rest.packetsRead - before.packetsRead > 100)
    #expect(rest.audioDecoders == before.audioDecoders + 1)
  }

  @Test("Sound that waits is prepared at once for a start and for a preroll", arguments: [true, false])
  func soundIsHurried(starts: Bool) {
    let (bench, _) = bench()
    defer { bench.finish() }
    peek(bench)
    let before = bench.scheduler.now
    if starts {
      bench.driver.run(rate: 1, from: nil, at: nil)
      bench.wait { $0.hasPrefix("started 1 ") }
    } else {
      bench.driver.preroll(item, rate: 1)
      bench.wait { $0.hasPrefix("prerolled 1 ") }
    }
    let waited = (bench.scheduler.now - before).seconds
    #expect(waited < 0.05)
    let decoders = bench.backend.log.counts.audioDecoders
    bench.advance(1)
    #expect(bench.backend.log.counts.audioDecoders == decoders)
    #expect(bench.backend.log.counts.misuses.isEmpty)
  }

  @Test("Sound that waits is not prepared again when another track was chosen meanwhile", arguments: [true, false])
  func otherTrackMeanwhile(hasLanded: Bool) throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(ScriptedMedia.make().adding(1, like: .audio) { _, _ in })
    var configuration = ItemConfiguration()
    configuration.selectedTracks[.audio] = 2
    bench.load(configuration: configuration)
    bench.advance(1)
    bench.seek(
      to: CMTime(value: 5_500, timescale: 1_000), before: .positiveInfinity, after: .positiveInfinity, isPaused: true,
      waits: hasLanded)
    configuration.selectedTracks[.audio] = 3
    bench.driver.reconfigure(item, configuration)
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    let sink = try #require(bench.devices.sinks.first)
    let heard = sink.played
    let first = try #require(heard.firstIndex { $0 != 0 })
    // The triangle is zero at single samples only; a second preparation would silence what runs.
    let gaps = (first..<heard.count - 8).count { heard[$0..<$0 + 8].allSatisfy { $0 == 0 } }
    #expect(gaps == 0)
  }

  @Test("A start that waits for the seek finds its sound at once")
  func startBeforeLanding() {
    let (bench, _) = bench()
    defer { bench.finish() }
    bench.seek(to: CMTime(value: 40, timescale: 1), isPaused: true, waits: false)
    bench.driver.run(rate: 1, from: nil, at: nil)
    let before = bench.scheduler.now
    bench.wait { $0.hasPrefix("started 1 ") }
    let waited = (bench.scheduler.now - before).seconds
    #expect(waited < 0.1)
  }

  @Test("Scrubbing over key frames decodes one packet for each picture")
  func scrubbing() {
    let (bench, output) = bench()
    defer { bench.finish() }
    let before = bench.backend.log.counts.videoPackets
    for second in [40, 20, 50, 6, 30] as [Int64] {
      bench.seek(
        to: CMTime(value: second * 1_000 + 500, timescale: 1_000), before: .positiveInfinity, after: .positiveInfinity,
        isPaused: true)
      #expect(shown(output, at: bench.time()) == UInt64(second * 25))
    }
    let decoded = bench.backend.log.counts.videoPackets - before
    #expect(decoded == 5)
  }

  @Test("A step follows, at once and after a rest", arguments: [0, 0.05, 0.5])
  func step(rest: Double) {
    let (bench, output) = bench()
    defer { bench.finish() }
    peek(bench)
    bench.advance(rest)
    for number in 1...3 as ClosedRange<UInt64> {
      bench.driver.step(item, by: 1, id: SeekID(100 + number))
      bench.wait { $0.hasPrefix("landed 1 #\(100 + number) ") }
      #expect(shown(output, at: bench.time()) == 1_000 + number)
    }
    #expect(bench.backend.log.counts.misuses.isEmpty)
  }

  @Test("Playing on shows every frame once", arguments: [0, 0.05, 0.5])
  func play(rest: Double) {
    let (bench, output) = bench()
    defer { bench.finish() }
    peek(bench)
    bench.advance(rest)
    let numbers = Lock<[UInt64]>([])
    output.setHandlers(onFrameDue: { frame in numbers.withLock { $0.append(frame.picture.checksum()) } })
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1.5)
    let seen = numbers.withLock { $0 }.filter { $0 != 1_000 }
    #expect(seen.count > 30)
    #expect(seen == Array(1_001..<(1_001 + UInt64(seen.count))))
    #expect(bench.backend.log.counts.misuses.isEmpty)
  }

  @Test("An exact seek to a later frame of the group finds it")
  func exactSeekOn() {
    let (bench, output) = bench()
    defer { bench.finish() }
    for target in [40_000, 40_030, 40_040, 40_720] as [Int64] {
      peek(bench)
      bench.seek(to: CMTime(value: target, timescale: 1_000))
      #expect(shown(output, at: bench.time()) == UInt64(target / 40))
    }
    #expect(bench.backend.log.counts.misuses.isEmpty)
  }

  @Test("While playing, a tolerant seek decodes on")
  func whilePlaying() {
    let (bench, output) = bench()
    defer { bench.finish() }
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    peek(bench, isPaused: false)
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    let number = shown(output, at: bench.time())
    #expect(number.map { $0 > 1_010 && $0 < 1_030 } == true)
    #expect(bench.backend.log.counts.misuses.isEmpty)
  }
}
