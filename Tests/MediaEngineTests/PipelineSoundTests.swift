import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite struct PipelineSoundTests {
  /// The greatest step between neighbouring samples of the first channel.
  private func greatestStep(_ played: [Float]) -> Float {
    stride(from: 2, to: played.count, by: 2).map { abs(played[$0] - played[$0 - 2]) }.max() ?? 0
  }

  private func sound(seconds: Double = 30, start: Int64 = 0, rate: Int = 48_000) -> ScriptedMedia {
    var audio = ScriptedMedia.Audio()
    audio.seconds = seconds
    audio.start = start
    audio.sampleRate = rate
    return .make(video: nil, audio: audio)
  }

  /// Silence of `gap` samples behind the first `packets` packets of a track.
  private func sound(gap: Int64, after packets: Int) -> ScriptedMedia {
    var media = sound(seconds: 10)
    for index in media.samples.indices where media.samples[index].number >= packets {
      media.samples[index].presentationTime += gap
      media.samples[index].decodeTime += gap
    }
    media.tracks[0].timeRange.duration = media.tracks[0].timeRange.duration + CMTime(value: gap, timescale: 48_000)
    media.duration = media.tracks[0].timeRange.duration
    return media
  }

  @Test func aGapInTheSoundIsAsLongAsItsTimesSay() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    // 2.5 s behind 48 packets.
    bench.backend.add(sound(gap: 120_000, after: 48))
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(6)
    let sink = try #require(bench.devices.sinks.first)
    let heard = sink.played
    let (gap, end) = (48 * 1_024, 48 * 1_024 + 120_000)
    let first = try #require(heard.firstIndex { $0 != 0 }) / 2
    let isTone = { (sample: Int) in heard[(first + sample) * 2] == FakeTone.value(Int64(sample), rate: 48_000) }
    #expect((0..<gap).allSatisfy(isTone))
    #expect((gap..<end).allSatisfy { heard[(first + $0) * 2] == 0 })
    #expect((end..<end + 48_000).allSatisfy(isTone))
  }

  @Test("A gap of ten years in a damaged file takes no memory, wherever one goes in it")
  func gapOfYears() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(sound(gap: 48_000 * 86_400 * 3_650, after: 48))
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(5)
    #expect(abs(bench.time().seconds - 5) < 0.1)
    let middle = CMTime(value: 86_400 * 365 * 5, timescale: 1)
    bench.seek(to: middle)
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(5)
    #expect(abs((bench.time() - middle).seconds - 5) < 0.1)
  }

  @Test("Sound that begins ten years before the start takes no memory up to it")
  func soundLongBeforeTheStart() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    var media = sound(seconds: 10)
    media.samples[0].presentationTime -= 48_000 * 86_400 * 3_650
    bench.backend.add(media)
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(3)
    #expect(abs(bench.time().seconds - 3) < 0.1)
    let heard = try #require(bench.devices.sinks.first).played
    // The first packet is missing, the others are in their places.
    #expect(heard[2_048..<60_000].contains { $0 != 0 })
  }

  @Test func volumeIsHeardWithin50MillisecondsAlthoughASecondIsQueued() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(sound())
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(2)
    let sink = try #require(bench.devices.sinks.first)
    let position = Int(sink.position().frame)
    #expect(sink.writtenEnd - Int64(position) > 36_000)
    bench.driver.setGain(0)
    bench.advance(1)
    let played = sink.played
    let silentFrom = position + 48_000 * 50 / 1000
    #expect(played[(silentFrom * 2)...].allSatisfy { $0 == 0 })
    #expect(played[((position - 2_000) * 2)..<(position * 2)].contains { $0 != 0 })
    #expect(greatestStep(played) < 0.02)
    bench.driver.setGain(1)
    bench.advance(1)
    #expect(greatestStep(sink.played) < 0.02)
    #expect(sink.latePlaces.isEmpty)
  }

  @Test func rateActsWithin50MillisecondsAndTimeFollowsIt() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(sound())
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(2)
    bench.driver.run(rate: 2, from: nil, at: nil)
    bench.advance(3)
    #expect(abs(bench.time().seconds - 8) < 0.06)
    bench.driver.run(rate: 0.5, from: nil, at: nil)
    bench.advance(2)
    #expect(abs(bench.time().seconds - 9) < 0.1)
    let sink = try #require(bench.devices.sinks.first)
    #expect(greatestStep(sink.played) < 0.04)
  }

  @Test func lateSoundIsPrecededBySilenceAndKeepsItsPlace() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    var audio = ScriptedMedia.Audio()
    audio.start = 32_640
    audio.seconds = 3
    var video = ScriptedMedia.Video()
    video.seconds = 4
    bench.backend.add(.make(video: video, audio: audio))
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    let played = try #require(bench.devices.sinks.first).played
    #expect(played[..<(32_640 * 2)].allSatisfy { $0 == 0 })
    #expect(played[32_641 * 2] == FakeTone.value(32_641, rate: 48_000))
    #expect(abs(bench.time().seconds - 4) < 0.05)
  }

  @Test func clockSkewGivesNoDriftBetweenSoundAndPicture() throws {
    for skew in [-200.0, 200.0] {
      let bench = DriverBench(devices: CapturingAudioSinks(skew: skew))
      var video = ScriptedMedia.Video()
      video.seconds = 120
      var audio = ScriptedMedia.Audio()
      audio.seconds = 120
      bench.backend.add(.make(video: video, audio: audio))
      let output = VideoFrameOutput()
      let worst = Lock(0.0)
      let sink = Lock<CapturingAudioSink?>(nil)
      output.setHandlers(onFrameDue: { frame in
        guard let sink = sink.withLock({ $0 }), sink.isRunning else { return }
        let position = sink.position()
        let heard = Double(position.frame) / 48_000
        worst.withLock { $0 = max($0, abs(heard - frame.time.seconds)) }
      })
      bench.load(output: output)
      bench.driver.run(rate: 1, from: nil, at: nil)
      bench.advance(0.2)
      sink.withLock { $0 = bench.devices.sinks.first }
      #expect(bench.wait { $0 == "end 1" })
      #expect(worst.withLock { $0 } < 0.001)
      bench.finish()
    }
  }

  @Test func soundAloneWakesSeldom() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(sound(seconds: 70))
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(3)
    let (steps, asks) = (bench.scheduler.steps, bench.devices.sinks.first?.askCount ?? 0)
    bench.advance(60)
    #expect((bench.devices.sinks.first?.askCount ?? 0) - asks <= 60)
    #expect(bench.scheduler.steps - steps < 4_000)
  }

  @Test func seekWhilePlayingMakesNoClick() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(sound())
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    bench.seek(to: CMTime(value: 20_123, timescale: 1000))
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    #expect(greatestStep(try #require(bench.devices.sinks.first).played) < 0.02)
    #expect(abs(bench.time().seconds - 21.1) < 0.1)
  }

  @Test func soundOfAnotherRateKeepsItsLength() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(sound(seconds: 5, rate: 44_100))
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    let before = bench.scheduler.elapsed
    #expect(bench.wait { $0 == "end 1" })
    #expect(abs((bench.scheduler.elapsed - before).seconds - 5) < 0.05)
  }

  @Test func disabledPictureDecodesNothingAndIsBackAtOnce() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(.make())
    var configuration = ItemConfiguration()
    configuration.disabledTracks = [1]
    let output = VideoFrameOutput()
    bench.load(configuration: configuration, output: output)
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(3.3)
    #expect(bench.backend.log.counts.videoPackets == 0)
    configuration.disabledTracks = []
    bench.driver.reconfigure(ItemID(1), configuration)
    bench.advance(0.2)
    let frame = try #require(output.frame(at: bench.time()))
    #expect(abs(frame.time.seconds - bench.time().seconds) < 0.2)
    configuration.disabledTracks = [1]
    bench.driver.reconfigure(ItemID(1), configuration)
    bench.advance(0.1)
    let packets = bench.backend.log.counts.videoPackets
    bench.advance(1)
    #expect(bench.backend.log.counts.videoPackets == packets)
    #expect(bench.wait { $0 == "end 1" })
  }
}
