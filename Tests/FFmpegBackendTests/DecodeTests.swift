import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite struct DecodeTests {
  @Test(arguments: [
    "b-pyramid.mp4", "edit-list.mp4", "vfr.mp4", "hevc10.mp4", "vp9-hidden.webm", "no-index.ts", "xvid.avi", "raw.h264",
    "fragmented.mp4", "mpeg2.mpg",
  ])
  func everyFrameEqualsFFmpegsOwn(name: String) throws {
    let url = try Fixture.url(name)
    let media = try decodeEverything(url)
    let track = try #require(media.description.tracks(of: .video).first)
    #expect(media.frames[track.index]?.map(\.checksum) == (try FFmpegOracle.videoChecksums(url)))
    #expect(media.damagedPackets == 0)
  }

  @Test(arguments: ["tone.m4a", "tone.mp3", "tone.opus", "tone.ogg", "tone.flac", "tone.wav", "short.m4a"])
  func samplesAreCutExactly(name: String) throws {
    let url = try Fixture.url(name)
    let media = try decodeEverything(url)
    let track = try #require(media.description.tracks(of: .audio).first)
    // FFmpeg does not cut the end in movies: there the recipes' own lengths count.
    let recipes = ["tone.m4a": 5 * 44_100, "short.m4a": 44_100 * 8 / 10]
    let expected = try recipes[name].map(Int64.init) ?? FFmpegOracle.sampleCount(url)
    #expect(media.sampleCounts[track.index] == expected)
    #expect(media.firstSamples[track.index] == 0)
  }

  @Test func aStartDelayIsKept() throws {
    let media = try decodeEverything(try Fixture.url("late-audio.mp4"))
    let sound = try #require(media.description.tracks(of: .audio).first)
    let first = try #require(media.firstSamples[sound.index])
    #expect(first > 0)
    let start = CMTime(value: first, timescale: CMTimeScale(sound.audio?.sampleRate ?? 1))
    #expect(abs((start - sound.timeRange.start).seconds) < 0.002)
    #expect(sound.segments.first?.source.start.isValid == false)
  }

  @Test func aWrongDeclaredDurationIsCorrected() throws {
    let media = try decodeEverything(try Fixture.url("wrongdur.mp4"))
    #expect(media.description.duration.seconds < 100)
  }

  @Test func soundWithoutASeekHeaderHasItsTrueDuration() throws {
    let media = try decodeEverything(try Fixture.url("vbr-noxing.mp3"))
    let track = try #require(media.description.tracks(of: .audio).first)
    let samples = Double(media.sampleCounts[track.index] ?? 0) / Double(track.audio?.sampleRate ?? 1)
    #expect(abs(media.description.duration.seconds - samples) < 0.06)
    #expect(media.description.isDurationPrecise)
  }

  @Test func aTruncatedFilePlaysItsGoodPartAndSaysSo() throws {
    let media = try decodeEverything(try Fixture.url("trunc-fast.mp4"))
    #expect(!media.frames.values.joined().isEmpty)
    #expect(media.readError?.code == .containerTruncated)
    #expect(throws: MediaError.self) { try decodeEverything(try Fixture.url("trunc-tail.mp4")) }
  }

  @Test func aLoneSegmentAndProtectedMediaAreNamed() throws {
    do {
      _ = try decodeEverything(try Fixture.url("lone-segment.m4s"))
      Issue.record("a lone segment opened")
    } catch let error as MediaError {
      #expect(error.code == .containerLoneSegment)
    }
    let media = try decodeEverything(try Fixture.url("protected.mp4"))
    #expect(media.description.hasProtectedContent)
    #expect(media.decoderErrors.values.allSatisfy { $0.code == .contentProtected } && !media.decoderErrors.isEmpty)
  }

  @Test func aTurnedPictureHasApplesTransform() throws {
    let media = try decodeEverything(try Fixture.url("rotated.mp4"), hashing: false)
    let format = try #require(media.description.tracks(of: .video).first?.video)
    #expect(Double(format.presentationSize.width) == Double(format.height))
    #expect(Double(format.presentationSize.height) == Double(format.width))
  }
}
