import CoreMedia
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Where sound ends in a movie, judged by the samples that come out.
@Suite struct SoundEndTests {
  /// 217 packets; the sample table gives the last one 340 ticks instead of 1,024.
  private func tone(_ changes: [(from: [UInt8], to: [UInt8])]) throws -> DecodedMedia {
    var bytes = [UInt8](try Data(contentsOf: try Fixture.url("tone.m4a")))
    for change in changes {
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: change.from) })
      bytes.replaceSubrange(place..<place + change.from.count, with: change.to)
    }
    return try decodeEverything(
      MemorySource(Data(bytes)), hints: SourceHints(pathExtension: "m4a", prefersPreciseTiming: true))
  }

  private static let table: [UInt8] = [0, 0, 0, 216, 0, 0, 4, 0, 0, 0, 0, 1, 0, 0, 1, 84]

  @Test func theLastSampleIsAsLongAsItsTableSays() throws {
    let media = try tone([(Array("edts".utf8), Array("free".utf8))])
    #expect(media.sampleCounts[0] == Int64(216 * 1_024 + 340))
    #expect(media.description.tracks.first?.audio?.paddingSamples == Int64(1_024 - 340))
    #expect(media.description.duration == CMTime(value: 216 * 1_024 + 340, timescale: 44_100))
  }

  @Test func aGapBetweenSamplesIsNotTakenForPadding() throws {
    // The first packet, which is priming, lasts 2,964 ticks; all that follows is heard.
    let media = try tone([(Self.table, [0, 0, 0, 1, 0, 0, 11, 148, 0, 0, 0, 216, 0, 0, 4, 0])])
    #expect(media.firstSamples[0] == Int64(2_964 - 1_024))
    // The edit's five seconds end before the media's end.
    #expect(media.sampleCounts[0] == Int64(5 * 44_100 - (2_964 - 1_024)))
  }

  @Test func theEndOfSoundInFragmentsIsWhereItsSamplesEnd() throws {
    let media = try decodeEverything(try Fixture.url("fragmented-opus.mp4"))
    #expect(media.sampleCounts[0] == Int64(5 * 48_000))
    #expect(media.firstSamples[0] == Int64(312))
  }

  /// An ID3 tag with iTunes' comment.
  private func comment(priming: Int64, padding: Int64, length: Int64) -> Data {
    func hex(_ value: Int64, _ digits: Int) -> String {
      let text = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
    let text = " 00000000 \(hex(priming, 8)) \(hex(padding, 8)) \(hex(length, 16)) 00000000 00000000"
    let body = Data([0]) + Data("engiTunSMPB\0\(text)".utf8)
    let frame = Data("COMM".utf8) + Data([0, 0, 0, UInt8(body.count), 0, 0]) + body
    return Data("ID3".utf8) + Data([3, 0, 0, 0, 0, UInt8(frame.count >> 7), UInt8(frame.count & 127)]) + frame
  }

  @Test func iTunesCommentAloneCutsAnMP3_AndNotWhereALAMEHeaderHasCut() throws {
    let hints = SourceHints(pathExtension: "mp3", prefersPreciseTiming: true)
    let plain = try Data(contentsOf: try Fixture.url("vbr-noxing.mp3"))
    let all = try decodeEverything(MemorySource(plain), hints: hints)
    let count = try #require(all.sampleCounts[0])
    let rate = try #require(all.description.tracks.first?.audio?.sampleRate)
    let length = count - 528 - 2_604
    let tag = comment(priming: 528, padding: 2_604, length: length)
    let cut = try decodeEverything(MemorySource(tag + plain), hints: hints)
    #expect(cut.sampleCounts[0] == length)
    #expect(cut.firstSamples[0] == 0)
    #expect(cut.description.duration == CMTime(value: length, timescale: Int32(rate)))
    let format = try #require(cut.description.tracks.first?.audio)
    #expect(format.primingSamples == 528)
    #expect(format.paddingSamples == 2_604)

    let tone = try Data(contentsOf: try Fixture.url("tone.mp3"))
    let counted = try decodeEverything(MemorySource(tone), hints: hints)
    let tagged = try decodeEverything(MemorySource(tag + tone), hints: hints)
    #expect(tagged.sampleCounts == counted.sampleCounts)
    #expect(tagged.firstSamples == counted.firstSamples)
    #expect(tagged.description.duration == counted.description.duration)
  }

  @Test func aStillThatStatesNoLengthLastsAsLongAsItsContainer() throws {
    let report = ConformancePlay.report(of: try Fixture.url("still.webm"), backend: FFmpegMediaBackend())
    #expect(report.video?.frames.count == 1)
    #expect(report.duration == 2)
    #expect(report.didPlayToEndCount == 1)
  }
}
