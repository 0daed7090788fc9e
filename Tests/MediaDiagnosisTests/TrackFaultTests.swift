import Foundation
import MediaDiagnosis
import MediaTestSupport
import Testing

@Suite struct TrackFaultTests {
  @Test func allOfThePictureBeforeAllOfTheSound() throws {
    let diagnosis = examined(try Fixture.url("far-apart.mp4"))
    #expect(diagnosis.names == ["wide-interleave", "index-at-end"])
    #expect(try #require(diagnosis.evidence("bytes", of: .wideInterleave)) > 4_000_000)
    #expect(examined(try Fixture.url("close-together.mp4")).names == [])
  }

  @Test func picturesOfDifferentLengths_areANote() throws {
    let diagnosis = examined(try Fixture.url("vfr.mp4"))
    #expect(diagnosis.names == ["index-at-end", "no-sound", "variable-frame-rate"] && diagnosis.verdict == .healthy)
    #expect(abs(try #require(diagnosis.evidence("longest", of: .variableFrameRate)) - 31.0 / 30) < 0.001)
  }

  @Test func noKeyFrame() throws {
    #expect(examined(try Fixture.url("keyless.mkv")).names == ["no-keyframes", "no-sound"])
  }

  @Test func aLostFirstKeyFrame() throws {
    let diagnosis = examined(try Fixture.url("late-key.mkv"))
    #expect(diagnosis.names == ["late-keyframe"])
    #expect(diagnosis.evidence("pictures", of: .lateKeyframe) == 29)
  }

  @Test func aSingleKeyFrame_isANote() throws {
    let diagnosis = examined(try Fixture.url("one-key.mkv"))
    #expect(diagnosis.names == ["rare-keyframes"] && diagnosis.verdict == .healthy)
  }

  @Test func aGapInTheSound() throws {
    let diagnosis = examined(try Fixture.url("sound-gap.mkv"))
    #expect(diagnosis.names == ["times-gap", "ends-apart"])
    #expect(abs(try #require(diagnosis.evidence("largest", of: .timesGap)) - 1.5) < 0.03)
    #expect(abs(try #require(diagnosis.evidence("first", of: .timesGap)) - 4.27) < 0.05)
  }

  @Test func aGapInThePicture() throws {
    let diagnosis = examined(try Fixture.url("picture-gap.mkv"))
    #expect(diagnosis.names == ["times-gap"])
    #expect(abs(try #require(diagnosis.evidence("largest", of: .timesGap)) - 2.033) < 0.01)
  }

  @Test func recordingsPutTogether() throws {
    let diagnosis = examined(try Fixture.url("joined.ts"))
    #expect(diagnosis.names == ["times-back", "times-back"])
    #expect(abs(try #require(diagnosis.evidence("first", of: .timesBack)) - 10) < 0.1)
  }

  @Test func picturesOfOneTime() throws {
    let diagnosis = examined(try Fixture.url("same-times.mkv"))
    #expect(diagnosis.names == ["times-duplicate"])
    #expect(diagnosis.evidence("count", of: .timesDuplicate) == 6)
  }

  @Test func tracksThatBeginApart_areANote() throws {
    let sound = examined(try Fixture.url("late-audio.mp4"))
    #expect(sound.names == ["index-at-end", "starts-apart"] && sound.verdict == .healthy)
    #expect(examined(try Fixture.url("late-video.mp4")).names == ["index-at-end", "starts-apart"])
  }

  @Test func soundThatEndsEarly_isANote() throws {
    #expect(examined(try Fixture.url("short-sound.mp4")).names == ["ends-apart"])
  }

  @Test func aFilmWithoutAPicture() throws {
    let file = try PlantedFile("film.mp4", try fixtureBytes("tone.m4a"))
    #expect(examined(file.url).names == ["index-at-end", "no-picture"])
  }

  @Test func aFilmWithoutSound() throws {
    #expect(examined(try Fixture.url("video-only.mp4")).names == ["index-at-end", "no-sound"])
  }

  @Test func sound_ofZeros_orNearlySo_isSilent_whichIsANote() throws {
    let silent = examined(try Fixture.url("silent.m4a"))
    #expect(silent.names == ["silent-sound"] && silent.verdict == .healthy)
    let whisper = examined(try Fixture.url("whisper.flac"))
    #expect(whisper.names == ["silent-sound"])
    #expect(abs(try #require(whisper.evidence("decibels", of: .silentSound)) + 90.5) < 0.2)
    #expect(examined(try Fixture.url("quiet.flac")).names == [])
  }
}
