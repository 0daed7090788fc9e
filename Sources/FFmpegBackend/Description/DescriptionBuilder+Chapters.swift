import CFFmpeg
import CoreMedia
import MediaEngine

extension DescriptionBuilder {
  private static let chapterLimit = 10_000

  /// Chapters in item time, in the container's order. One that states no end lasts until the next one begins, the last one
  /// until the media ends.
  func chapters(until duration: CMTime) -> [Chapter] {
    let entries = (0..<min(Int(context.pointee.nb_chapters), Self.chapterLimit)).compactMap { index in
      context.pointee.chapters[index].flatMap { stated($0.pointee) }
    }
    let starts = entries.map(\.start).sorted()
    let whole = duration.isNumeric ? duration : starts.last ?? .zero
    return entries.map { entry in
      let end = entry.end ?? starts.first { $0 > entry.start } ?? CMTimeMaximum(whole, entry.start)
      return Chapter(
        timeRange: CMTimeRange(start: entry.start, end: CMTimeMaximum(end, entry.start)), title: entry.title,
        languageCode: entry.languageCode)
    }
  }

  private struct Entry {
    var start: CMTime
    /// Nil when none is stated.
    var end: CMTime?
    var title: String?
    var languageCode: String?
  }

  private func stated(_ chapter: AVChapter) -> Entry? {
    guard chapter.time_base.isPositive, chapter.start != FF_NOPTS else { return nil }
    let base = TimeBase(chapter.time_base)
    // Not rounded to the chapter's ticks, which may be seconds. What begins before the media does begins with it.
    let shift = TimeBase(origin.timeBase).time(origin.ticks)
    let start = CMTimeMaximum(base.time(chapter.start) - shift, .zero)
    return Entry(
      start: start, end: chapter.end == FF_NOPTS ? nil : base.time(chapter.end) - shift,
      title: String(c: av_dict_get(chapter.metadata, "title", nil, 0)?.pointee.value, limit: 4_096),
      languageCode: Self.language(chapter.metadata))
  }
}
