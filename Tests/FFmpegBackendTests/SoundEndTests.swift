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

  @Test func aStillThatStatesNoLengthLastsAsLongAsItsContainer() throws {
    let report = ConformancePlay.report(of: try Fixture.url("still.webm"), backend: FFmpegMediaBackend())
    #expect(report.video?.frames.count == 1)
    #expect(report.duration == 2)
    #expect(report.didPlayToEndCount == 1)
  }
}
