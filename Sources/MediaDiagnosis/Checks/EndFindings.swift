import CoreMedia
import MediaEngine

/// What is known when all packets were read.
struct EndFindings {
  /// Seconds that tracks may begin apart without anybody noticing.
  private static let startSlack = 0.1
  private static let endSlack = 1.0
  /// How far a header's duration may be off: in seconds, and of the whole.
  private static let durationSlack = 1.0
  private static let durationShare = 0.02

  let media: MediaDescription
  let tracks: [TrackWatch]
  /// The duration before anything was read, when the header states one.
  let stated: Double?
  let bytes: Int64?

  private var played: [TrackWatch] { tracks.filter { $0.isPlayed && $0.times.packets > 0 } }

  var findings: [Finding] {
    guard !media.isCutShort else { return [cut] + starts }
    return starts + ends + duration
  }

  /// How much there is, and from what time on the rest is missing.
  private var cut: Finding {
    // Where the first track ends: from there on something is missing. A track of which nothing came misses all.
    let expected = tracks.filter { $0.isPlayed }
    let reached = expected.compactMap { $0.times.end }.min() ?? 0
    var evidence: [String: Evidence] = [:]
    var message = "The file ends too early"
    if let bytes {
      evidence["bytes"] = Evidence(bytes)
      if let promised = media.layout.promisedLength, promised > bytes {
        evidence["promisedBytes"] = Evidence(promised)
        message += ": it has \(bytes) of \(promised) bytes (\(bytes * 100 / max(promised, 1)) %)"
      }
    }
    if let stated, stated > reached { evidence["duration"] = Evidence(seconds: stated) }
    // By the header alone nobody knows how far it plays.
    if !tracks.isEmpty {
      evidence["missingFrom"] = Evidence(seconds: max(reached, 0))
      message += ". From \(Wording.time(max(reached, 0))) on something is missing"
      if let stated, stated > reached { message += ", of \(Wording.time(stated))" }
    }
    return Finding(.truncated, message + ".", evidence)
  }

  private var starts: [Finding] {
    let starts = played.compactMap { watch in watch.times.first.map { (watch.track, max($0, 0)) } }
    guard let first = starts.min(by: { $0.1 < $1.1 }), let last = starts.max(by: { $0.1 < $1.1 }),
      last.1 - first.1 > Self.startSlack
    else { return [] }
    return [
      Finding(
        .startsApart, track: last.0.id,
        "\(Wording.name(of: last.0).capitalizedFirst) begins \(Wording.length(last.1 - first.1)) after \(Wording.name(of: first.0)).",
        ["first": Evidence(seconds: first.1), "last": Evidence(seconds: last.1)])
    ]
  }

  private var ends: [Finding] {
    let ends = played.compactMap { watch in watch.end.map { (watch.track, $0) } }
    guard let first = ends.min(by: { $0.1 < $1.1 }), let last = ends.max(by: { $0.1 < $1.1 }),
      last.1 - first.1 > Self.endSlack
    else { return [] }
    return [
      Finding(
        .endsApart, track: first.0.id,
        "\(Wording.name(of: first.0).capitalizedFirst) ends at \(Wording.time(first.1)), \(Wording.length(last.1 - first.1)) before \(Wording.name(of: last.0)).",
        ["first": Evidence(seconds: first.1), "last": Evidence(seconds: last.1)])
    ]
  }

  /// The header of a movie in fragments may leave them out.
  private func movieDuration(before end: Double) -> Double? {
    guard let stated = media.layout.statedDuration?.seconds, !media.isFragmented || stated > end else { return nil }
    return stated
  }

  /// A header may count from zero or from the first sample.
  private func isOff(_ stated: Double, _ real: Double) -> Bool {
    abs(stated - real) > max(Self.durationSlack, Self.durationShare * stated)
  }

  private var duration: [Finding] {
    // A single picture lasts as long as the header says.
    let start = max(played.compactMap { $0.times.first }.min() ?? 0, 0)
    guard played.allSatisfy(\.isEndKnown), let end = played.compactMap(\.end).max(),
      let stated = [stated, movieDuration(before: end)].compactMap({ $0 })
        .first(where: { isOff($0, end) && isOff($0, end - start) })
    else { return [] }
    return [
      Finding(
        .wrongDuration, "The header says \(Wording.time(stated)), but the media ends at \(Wording.time(end)).",
        ["stated": Evidence(seconds: stated), "end": Evidence(seconds: end)])
    ]
  }
}
