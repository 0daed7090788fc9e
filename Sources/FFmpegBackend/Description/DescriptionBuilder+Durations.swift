import CFFmpeg
import CoreMedia
import MediaEngine

extension DescriptionBuilder {
  struct Presentation {
    var range: CMTimeRange
    var segments: [CMTimeMapping]
  }

  /// A movie track's place in item time: its edits, each held to the media that is really there.
  func presentation(_ box: MovieTrackBox, _ stream: AVStream) -> Presentation? {
    guard let movie, movie.timescale > 0, box.timescale > 0, let trackScale = Int32(exactly: box.timescale),
      let movieScale = Int32(exactly: movie.timescale)
    else { return nil }
    let media = mediaDuration(box, stream)
    guard !box.edits.isEmpty else {
      return Presentation(
        range: CMTimeRange(start: .zero, duration: CMTime(value: media, timescale: trackScale)), segments: [])
    }
    var position = CMTime.zero
    var start: CMTime?
    var segments: [CMTimeMapping] = []
    for edit in box.edits {
      var duration = CMTime(value: edit.duration, timescale: movieScale)
      if edit.mediaTime < 0 {
        segments.append(
          CMTimeMapping(source: .invalid, target: CMTimeRange(start: position, duration: duration)))
        position = position + duration
        continue
      }
      let left = CMTime(
        value: max(media &- edit.mediaTime, 0), timescale: trackScale)
      // The edits of a fragmented movie were written before its fragments: they go on to the end.
      if media > 0 && (duration > left || movie.isFragmented) { duration = left }
      start = start ?? position
      segments.append(
        CMTimeMapping(
          source: CMTimeRange(start: CMTime(value: edit.mediaTime, timescale: trackScale), duration: duration),
          target: CMTimeRange(start: position, duration: duration)))
      position = position + duration
    }
    let first = start ?? .zero
    return Presentation(range: CMTimeRange(start: first, end: position), segments: segments)
  }

  /// In the track's ticks: where the last sample ends on screen, else what a header says.
  private func mediaDuration(_ box: MovieTrackBox, _ stream: AVStream) -> Int64 {
    let inTable = box.sampleCount > 0 ? max(box.sampleDuration ?? box.duration, box.shownEnd ?? 0) : 0
    if let ends = fragments?.ends[box.id] { return max(inTable, ends) }
    if inTable > 0 { return inTable }
    if let movie, let whole = movie.fragmentedDuration, whole > 0, movie.timescale > 0 {
      return rescale(
        whole, AVRational(num: 1, den: Int32(clamping: movie.timescale)),
        AVRational(num: 1, den: Int32(clamping: box.timescale))) ?? 0
    }
    if stream.duration > 0 { return stream.duration }
    return box.duration
  }

  /// Other containers: libavformat's start and duration, or what a scan found.
  func streamRange(_ stream: AVStream, _ clock: StreamClock, index: Int) -> CMTimeRange {
    let base = TimeBase(clock.timeBase)
    let start = max(clock.itemTicks(stream.start_time) ?? 0, 0)
    if let end = scannedEnds[index] {
      return CMTimeRange(start: base.time(start), end: base.time(max(end, start)))
    }
    if comesInFragments(stream) { return CMTimeRange(start: base.time(start), duration: .indefinite) }
    guard stream.duration != FF_NOPTS, stream.duration > 0 else {
      guard let whole = containerDuration else { return CMTimeRange(start: base.time(start), duration: .indefinite) }
      return CMTimeRange(start: base.time(start), end: max(whole, base.time(start)))
    }
    return CMTimeRange(start: base.time(start), duration: base.time(stream.duration))
  }

  /// A movie from a pipe that names no samples before its first fragment: libavformat takes that one for the whole.
  private func comesInFragments(_ stream: AVStream) -> Bool { isMovie && movie == nil && stream.nb_frames == 0 }

  private var containerDuration: CMTime? {
    let duration = context.pointee.duration
    guard duration != FF_NOPTS, duration > 0 else { return nil }
    return CMTime(value: duration, timescale: CMTimeScale(AV_TIME_BASE))
  }

  /// The end of the last picture or sound; whether it is more than an estimate.
  func wholeDuration(_ tracks: [MediaTrack]) -> (CMTime, Bool) {
    let heard = tracks.filter { $0.kind == .video || $0.kind == .audio }
    let ends = (heard.isEmpty ? tracks : heard).map { $0.timeRange.end }.filter(\.isNumeric)
    let longest = ends.max()
    if isMovie, movie != nil, let longest { return (longest, longest > .zero) }
    if !scannedEnds.isEmpty, let longest { return (longest, true) }
    if isMovie, movie == nil, tracks.contains(where: { !$0.timeRange.end.isNumeric }) { return (.indefinite, false) }
    let isEstimate = context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
    if let whole = containerDuration {
      // A stream's own count of ticks is finer than the container's microseconds.
      if let longest, abs(longest.seconds - whole.seconds) < 0.001 { return (longest, !isEstimate) }
      return (whole, !isEstimate)
    }
    return (longest ?? .indefinite, longest != nil && !isEstimate)
  }
}
