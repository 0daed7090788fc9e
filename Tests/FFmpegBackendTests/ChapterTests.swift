import CoreMedia
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaTestSupport
import Testing

@Suite struct ChapterTests {
  private func chapters(_ file: String) throws -> (MediaDescription, [String: ClosedRange<Double>]) {
    let url = try Fixture.url(file)
    let demuxer = FFmpegMediaBackend().demuxer(
      MemorySource(try Data(contentsOf: url)), hints: SourceHints(pathExtension: url.pathExtension))
    let description = try demuxer.open(.first)
    defer { demuxer.close() }
    let ranges = description.chapters.map { chapter in
      (chapter.title ?? "", chapter.timeRange.start.seconds...chapter.timeRange.end.seconds)
    }
    return (description, Dictionary(ranges) { first, _ in first })
  }

  @Test func withoutAnEnd_aChapterLastsUntilTheNextOrTheMediasEnd_whateverTheirOrder() throws {
    let (description, chapters) = try chapters("chapters.ogg")
    #expect(description.duration.seconds == 3)
    #expect(chapters == ["One": 0...0.5, "Two": 0.5...2, "Three": 2...3])
  }
}
