import CoreMedia
import MediaEngine

/// Whether a player agrees with the oracle about a file, and where not.
package enum Verdict: Hashable, Sendable {
  case agreed
  case disagreed(String)

  /// The rules of a row by its status: `ok` must equal, `errors` must deliver at least as many frames, anything else
  /// must end in a typed error or a clean end.
  package init(_ row: TruthTable.Row, played: PlaybackReport, oracle: OracleReport) {
    do throws(Difference) {
      try Self.judgeManners(played)
      switch (row.kind, row.status) {
      case ("media", "ok"): try Self.judgeEqual(played, oracle)
      case ("media", "errors"): try Self.judgeAtLeast(played, oracle)
      default: break
      }
      self = .agreed
    } catch {
      self = .disagreed(error.text)
    }
  }

  struct Difference: Error {
    var text: String
    init(_ text: String) { self.text = text }
  }

  /// What holds for every file, however damaged.
  private static func judgeManners(_ played: PlaybackReport) throws(Difference) {
    if played.isStuck { throw Difference("stuck: no end, no failure, nothing left to do") }
    if !played.leaks.isEmpty {
      let list = played.leaks.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      throw Difference("left behind: \(list.joined(separator: ", "))")
    }
    if played.didPlayToEndCount > 1 { throw Difference("ended \(played.didPlayToEndCount) times") }
    if played.failedToPlayToEndCount > 1 { throw Difference("failed \(played.failedToPlayToEndCount) times") }
    let outcomes = played.didPlayToEndCount + (played.failure != nil || played.failedToPlayToEndCount > 0 ? 1 : 0)
    if outcomes == 0 { throw Difference("neither ended nor failed") }
  }

  private static func judgeEqual(_ played: PlaybackReport, _ oracle: OracleReport) throws(Difference) {
    let hasVideo = oracle.streams.values.contains { $0.isVideo && !$0.frames.isEmpty }
    let hasAudio = oracle.streams.values.contains { !$0.isVideo && $0.samples > 0 }
    if let failure = played.failure {
      // Subtitles alone, or tracks without a sample: FFmpeg decodes nothing either, and a typed error says so.
      guard hasVideo || hasAudio else { return }
      throw Difference("failed: \(failure.code) \(failure.message)")
    }
    if hasVideo {
      guard let video = played.video, let truth = oracle.streams[video.stream] else {
        throw Difference("no video track")
      }
      try judgeFrames(video.frames, truth, oracle)
    }
    if hasAudio {
      guard let audio = played.audio, let truth = oracle.streams[audio.stream] else {
        throw Difference("no audio track")
      }
      try judgeSamples(audio.samples, truth, oracle)
    }
    if hasVideo || hasAudio {
      guard played.didPlayToEndCount == 1 else { throw Difference("ended \(played.didPlayToEndCount) times") }
      try judgeDuration(played, oracle)
    }
  }

  private static func judgeAtLeast(_ played: PlaybackReport, _ oracle: OracleReport) throws(Difference) {
    let truth = played.video.flatMap { oracle.streams[$0.stream] }
    let wanted = truth?.frames.count ?? oracle.streams.values.map(\.frames.count).max() ?? 0
    let delivered = played.video?.frames.count ?? 0
    if delivered < wanted { throw Difference("\(delivered) of \(wanted) frames") }
  }

  private static func judgeFrames(
    _ frames: [PlaybackReport.Frame], _ truth: OracleReport.Stream, _ oracle: OracleReport
  )
    throws(Difference)
  {
    for (index, (frame, wanted)) in zip(frames, truth.frames).enumerated() where frame.hash != wanted.hash {
      throw Difference("frame \(index) of \(truth.frames.count) looks different")
    }
    guard frames.count == truth.frames.count else {
      throw Difference("\(frames.count) of \(truth.frames.count) frames")
    }
    let origin = ItemOrigin(oracle)
    for (index, (frame, wanted)) in zip(frames, truth.frames).enumerated() {
      guard let ticks = wanted.ticks else { continue }
      let expected = origin.itemTime(truth.timeBase.time(ticks))
      // Half a tick: the start may be stated in another stream's ticks.
      let off = abs((frame.time - expected).seconds)
      guard off <= truth.timeBase.time(1).seconds / 2 + origin.uncertainty else {
        throw Difference("frame \(index) at \(frame.time.seconds) s, not \(expected.seconds) s")
      }
    }
  }

  /// The decoder's samples less the end padding that the file declares: in movies what lies behind the presentation's
  /// end, by time, for a track's samples may have gaps between them.
  private static func judgeSamples(_ samples: Int64, _ truth: OracleReport.Stream, _ oracle: OracleReport)
    throws(Difference)
  {
    var accepted: [Int64: Int64] = [:]
    // iTunes states the length beside the edit list, and finer; without one it alone tells.
    if let gapless = oracle.gapless, gapless > 0, gapless <= truth.samples { accepted[gapless] = 0 }
    if let kept = truth.kept, kept < truth.samples { accepted[kept] = Self.editTolerance(truth) }
    if accepted.isEmpty { accepted[truth.samples] = 0 }
    guard accepted.contains(where: { abs($0.key - samples) <= $0.value }) else {
      let wanted = accepted.keys.sorted().map(String.init).joined(separator: " or ")
      throw Difference("\(samples) samples, not \(wanted) (decoded \(truth.samples))")
    }
  }

  /// Edits are written in the movie's ticks, a 600th of a second or finer.
  private static func editTolerance(_ stream: OracleReport.Stream) -> Int64 { Int64(stream.rate) / 600 + 1 }

  /// Within a frame of video or a packet of sound (at most 4,096 samples), where FFmpeg knows the duration.
  private static func judgeDuration(_ played: PlaybackReport, _ oracle: OracleReport) throws(Difference) {
    guard let micros = oracle.duration, micros > 0 else { return }
    guard let duration = played.duration else { throw Difference("no duration") }
    let wanted = Double(micros) / 1_000_000
    let video = oracle.streams.values.first { $0.isVideo && $0.frames.count > 1 }
    let audio = oracle.streams.values.first { !$0.isVideo && $0.rate > 0 }
    let frame = max(video.map { wanted / Double($0.frames.count) } ?? 0, video?.frameDuration ?? 0)
    let packet = audio.map { 4_096 / Double($0.rate) } ?? 0
    let tolerance = max(frame, packet, 0.001)
    guard abs(duration - wanted) > tolerance else { return }
    // A header may be wrong, an estimate by bit rate is a guess, and FFmpeg counts from the first timestamp: what it
    // decodes ends where it ends.
    let origin = ItemOrigin(oracle)
    let end = oracle.streams.values.compactMap { stream in
      stream.end.map { origin.itemTime(stream.timeBase.time($0)).seconds }
    }.max()
    if let end, abs(duration - end) <= tolerance { return }
    throw Difference("duration \(duration) s, not \(wanted) s (decoded to \(end ?? .nan) s)")
  }
}

extension OracleReport.Stream {
  /// Seconds from picture to picture, on average.
  fileprivate var frameDuration: Double? {
    let ticks = frames.compactMap(\.ticks)
    guard ticks.count > 1, let first = ticks.first, let last = ticks.last else { return nil }
    return timeBase.time(last - first).seconds / Double(ticks.count - 1)
  }
}

/// Where item time is zero: movies and Matroska count from their presentation's start, others from the first picture
/// or sample. FFmpeg's own start counts tables of programme data as well, which nobody sees or hears.
private struct ItemOrigin {
  let start: CMTime
  let uncertainty: Double

  init(_ oracle: OracleReport) {
    let isAbsolute = oracle.container.hasPrefix("mov,") || oracle.container.hasPrefix("matroska")
    let starts = oracle.streams.values.compactMap { stream in stream.start.map(stream.timeBase.time) }
    start = isAbsolute ? .zero : starts.min() ?? .zero
    uncertainty = 1e-9
  }

  func itemTime(_ time: CMTime) -> CMTime { time - start }
}
