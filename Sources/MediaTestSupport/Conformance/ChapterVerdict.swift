package import Foundation

/// Whether a file's chapters and covers are those that FFmpeg's tool finds.
package enum ChapterVerdict {
  /// Of `ffprobe -show_chapters`, which counts from the first timestamp that the file has.
  package static let probeArguments = [
    "-v", "error", "-of", "json", "-show_entries",
    "format=start_time,format_name:chapter=start_time,end_time:chapter_tags=title",
  ]

  private struct Probe: Decodable {
    struct Format: Decodable {
      // Names as ffprobe has them.
      var format_name: String?
      var start_time: String?
    }
    struct Chapter: Decodable {
      struct Tags: Decodable { var title: String? }
      var start_time: String
      var end_time: String
      var tags: Tags?
    }
    var chapters: [Chapter]?
    var format: Format?
  }

  /// - Returns: nil when nothing differs.
  package static func difference(_ row: TruthTable.Row, _ report: PlaybackReport, probe: Data) throws -> String? {
    if let covers = row.covers, report.covers != covers { return "\(report.covers) covers, not \(covers)" }
    let probe = try JSONDecoder().decode(Probe.self, from: probe)
    let wanted = probe.chapters ?? []
    guard report.chapters.count == wanted.count, row.chapters ?? wanted.count == wanted.count else {
      return "\(report.chapters.count) chapters, not \(row.chapters ?? wanted.count)"
    }
    let name = probe.format?.format_name ?? ""
    // Movies and Matroska count from their presentation's start.
    let isAbsolute = name.hasPrefix("mov,") || name.hasPrefix("matroska")
    let origin = isAbsolute ? 0 : max(probe.format?.start_time.flatMap { Double($0) } ?? 0, 0)
    for (index, (chapter, wish)) in zip(report.chapters, wanted).enumerated() {
      guard let stated = Double(wish.start_time), let end = Double(wish.end_time) else { continue }
      // What begins before the media does begins with it.
      let start = max(stated - origin, 0)
      // The tool writes microseconds. Where the last chapter states no end it takes one from the header's duration, with
      // the padding that is not heard: what was played tells better.
      let isLast = index == wanted.count - 1
      let endsWithMedia = isLast && report.duration.map { abs(chapter.end - $0) < 0.000_001 } ?? false
      let isEndRight = endsWithMedia || abs(chapter.end - max(end - origin, start)) < 0.000_001
      if abs(chapter.start - start) > 0.000_001 || !isEndRight {
        return "chapter \(index) from \(chapter.start) to \(chapter.end), not from \(start) to \(end - origin)"
      }
      let title = wish.tags?.title ?? ""
      if chapter.title != title { return "chapter \(index) is “\(chapter.title)”, not “\(title)”" }
    }
    return nil
  }
}
