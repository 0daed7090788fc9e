import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite struct PipelineFaultTests {
  private func stalling(at fraction: Double, seconds: Double = 20) -> (DriverBench, ScriptedMedia) {
    let bench = DriverBench()
    var video = ScriptedMedia.Video()
    video.seconds = seconds
    var audio = ScriptedMedia.Audio()
    audio.seconds = seconds
    let media = ScriptedMedia.make(video: video, audio: audio)
    var script = ScriptedByteSource.Script()
    script.mayBlock = true
    script.isRemote = true
    script.happenings[Int64(Double(media.byteLength) * fraction)] = .stall
    bench.backend.add(media, script: script)
    return (bench, media)
  }

  @Test func stallOfTheSourceStopsTimeAndGoesOnAfterwards() {
    let (bench, _) = stalling(at: 0.5)
    defer { bench.finish() }
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "stalled 1" })
    #expect(bench.backend.sources().first?.isWaiting == true)
    let time = bench.time()
    #expect(abs(time.seconds - 10) < 0.3)
    bench.advance(3)
    #expect(bench.time() == time)
    #expect(bench.lines.last { $0.hasPrefix("buffer") }?.contains("likely=false") == true)
    bench.backend.sources().first?.release()
    #expect(bench.wait { $0.contains("likely=true") }, "\(bench.lines)")
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    #expect(bench.backend.log.counts.misuses.isEmpty)
  }

  @Test func seekInterruptsABlockedRead() {
    let (bench, _) = stalling(at: 0.5)
    defer { bench.finish() }
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "stalled 1" })
    #expect(bench.backend.sources().first?.isWaiting == true)
    let before = bench.scheduler.elapsed
    bench.seek(to: CMTime(value: 2, timescale: 1))
    #expect(bench.time() == CMTime(value: 2, timescale: 1))
    #expect(bench.scheduler.elapsed - before < .milliseconds(100))
  }

  @Test func sourceThatFailsPlaysTheGoodPartAndReportsFailureOnce() {
    let bench = DriverBench()
    defer { bench.finish() }
    let media = ScriptedMedia.make()
    var script = ScriptedByteSource.Script()
    script.happenings[media.byteLength / 2] = .fail(MediaError(.sourceReadFailed, "The disk broke."))
    bench.backend.add(media, script: script)
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "playing failed 1 1006" })
    #expect(abs(bench.time().seconds - 5) < 0.2)
    bench.advance(2)
    #expect(bench.lines.filter { $0.hasPrefix("playing failed") }.count == 1)
    #expect(!bench.lines.contains("end 1"))
  }

  @Test func cutSourcePlaysTheGoodPartAndEndsOnce() {
    let bench = DriverBench()
    defer { bench.finish() }
    let media = ScriptedMedia.make()
    var script = ScriptedByteSource.Script()
    script.happenings[media.byteLength / 2] = .cut
    bench.backend.add(media, script: script)
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    #expect(abs(bench.time().seconds - 5) < 0.2)
    #expect(bench.lines.contains { $0.hasPrefix("description 1 ") })
  }

  /// A packet may claim memory that nobody has.
  @Test(arguments: [MediaError.Code.decodeFailed, .outOfMemory])
  func damagedPacketsDoNotStopPlaying(damage: MediaError.Code) {
    let bench = DriverBench()
    defer { bench.finish() }
    var media = ScriptedMedia.make()
    for index in media.samples.indices where index % 7 == 3 && !media.samples[index].isKeyframe {
      media.samples[index].isDamaged = true
      media.samples[index].damage = damage
    }
    bench.backend.add(media)
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
  }

  @Test func missingVideoDecoderLeavesTheSound() {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(.make())
    bench.backend.failDecoders(of: .video, with: MediaError(.decoderMissing, "None."))
    bench.load()
    #expect(bench.lines.contains("ready 1"))
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
  }

  @Test func missingDecodersForAllFailTheItem() {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(.make(audio: nil))
    bench.backend.failDecoders(of: .video, with: MediaError(.decoderMissing, "None."))
    bench.load()
    #expect(bench.lines.last == "failed 1 4001")
  }

  @Test func failingToOpenFailsTheItem() {
    let bench = DriverBench()
    defer { bench.finish() }
    var media = ScriptedMedia.make()
    media.openFailure = MediaError(.containerUnknown, "No.")
    bench.backend.add(media)
    bench.load()
    #expect(bench.lines == ["failed 1 3001"])
  }

  @Test func tracksFarApartArePlayedFromTwoPositionsWithinBounds() {
    let bench = DriverBench()
    defer { bench.finish() }
    var video = ScriptedMedia.Video()
    video.seconds = 60
    video.bytesPerFrame = 340_000
    var audio = ScriptedMedia.Audio()
    audio.seconds = 60
    bench.backend.add(ScriptedMedia.make(video: video, audio: audio).deinterleaved(first: .video))
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    #expect(bench.backend.sources().first?.duplicateCount == 1)
    #expect(!bench.lines.contains("stalled 1"))
    #expect(bench.backend.log.counts.misuses.isEmpty)
  }

  @Test func tracksFarApartWithoutASecondPositionAreATypedError() {
    let bench = DriverBench()
    defer { bench.finish() }
    var video = ScriptedMedia.Video()
    video.seconds = 60
    video.bytesPerFrame = 340_000
    var script = ScriptedByteSource.Script()
    script.canDuplicate = false
    var audio = ScriptedMedia.Audio()
    audio.seconds = 60
    bench.backend.add(
      ScriptedMedia.make(video: video, audio: audio).deinterleaved(first: .video), script: script)
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.wait { $0.contains("3008") }
    #expect(bench.lines.contains { $0.hasSuffix(" 3008") })
  }

  @Test func nothingIsLeftAfterClosing() {
    let backend = FakeBackend()
    do {
      let bench = DriverBench(backend: backend)
      bench.backend.add(.make())
      bench.load(output: VideoFrameOutput())
      bench.driver.run(rate: 1, from: nil, at: nil)
      bench.advance(2)
      bench.driver.detach(ItemID(1))
      bench.finish()
    }
    #expect(backend.log.counts.liveDecoders == 0)
    #expect(backend.log.counts.liveDemuxers == 0)
    #expect(backend.log.counts.liveFrames == 0)
  }
}

@Suite struct PipelineQueueTests {
  @Test func upcomingSoundJoinsWithoutAGapOrAMissingSample() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    var audio = ScriptedMedia.Audio()
    audio.seconds = 3
    bench.backend.add(.make(video: nil, audio: audio), as: "a")
    bench.backend.add(.make(video: nil, audio: audio), as: "b")
    bench.load("a", as: ItemID(1))
    bench.driver.attach(ItemID(2), asset: bench.asset("b"), configuration: .init())
    bench.driver.setCurrent(ItemID(1), upcoming: [ItemID(2)])
    bench.wait { $0 == "ready 2" }
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "advanced 1 2" })
    bench.driver.setCurrent(ItemID(2), upcoming: [])
    bench.driver.detach(ItemID(1))
    #expect(bench.wait { $0 == "end 2" })
    #expect(!bench.lines.contains("end 1"))
    let played = try #require(bench.devices.sinks.first).played
    let wrong = (0..<288_000 - 10).first {
      played[$0 * 2] != FakeTone.value(Int64($0 % 144_000), rate: 48_000)
    }
    #expect(wrong == nil)
  }

  @Test func upcomingPictureFollowsAtTheEndOfTheFirst() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    var video = ScriptedMedia.Video()
    video.seconds = 2
    bench.backend.add(.make(video: video, audio: nil), as: "a")
    bench.backend.add(.make(video: video, audio: nil), as: "b")
    bench.load("a", as: ItemID(1))
    bench.driver.attach(ItemID(2), asset: bench.asset("b"), configuration: .init())
    bench.driver.setCurrent(ItemID(1), upcoming: [ItemID(2)])
    bench.wait { $0 == "ready 2" }
    let begin = bench.scheduler.elapsed
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "advanced 1 2" })
    #expect(abs((bench.scheduler.elapsed - begin).seconds - 2) < 0.001)
    #expect(bench.wait { $0 == "end 2" })
    #expect(abs((bench.scheduler.elapsed - begin).seconds - 4) < 0.001)
  }
}
