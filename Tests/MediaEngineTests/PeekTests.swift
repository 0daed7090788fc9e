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
  private func peek(_ bench: DriverBench) {
    bench.seek(
      to: CMTime(value: 40_960, timescale: 1_000), before: .positiveInfinity, after: .positiveInfinity)
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

  @Test("Scrubbing over key frames decodes one packet for each picture")
  func scrubbing() {
    let (bench, output) = bench()
    defer { bench.finish() }
    let before = bench.backend.log.counts.videoPackets
    for second in [40, 20, 50, 6, 30] as [Int64] {
      bench.seek(
        to: CMTime(value: second * 1_000 + 500, timescale: 1_000), before: .positiveInfinity, after: .positiveInfinity)
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
    peek(bench)
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    let number = shown(output, at: bench.time())
    #expect(number.map { $0 > 1_010 && $0 < 1_030 } == true)
    #expect(bench.backend.log.counts.misuses.isEmpty)
  }
}
