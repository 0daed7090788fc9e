/// Why something is not seen or heard as it should be, and what to do about it.
///
/// Judged from what the player says of itself and from findings about the file; nothing is asked of anybody, so a snapshot
/// that was kept or sent gives the same answer anywhere.
public struct PlaybackDiagnosis: Hashable, Codable, Sendable {
  /// What the user notices.
  public enum Symptom: String, Hashable, Codable, Sendable {
    case doesNotPlay
    case stands
    case noPicture
    case noSound
    case disturbed
  }

  public var symptom: Symptom
  public var cause: PlaybackCause
  /// What is the matter, in a sentence or two.
  public var explanation: String
  /// What to do, in a sentence.
  public var remedy: String

  init(_ symptom: Symptom, _ cause: PlaybackCause, _ finding: MediaFinding? = nil, message: String? = nil) {
    self.symptom = symptom
    self.cause = cause
    explanation = finding?.message ?? message.flatMap { $0.isEmpty ? nil : $0 } ?? cause.explanation
    remedy = finding?.remedy ?? cause.remedy
  }

  /// All causes that the snapshot shows, the gravest first; empty when all is well.
  /// - Parameters:
  ///   - earlier: the same player some time before, by which it shows whether time and picture go on. Best a second apart,
  ///     without a seek in between.
  ///   - findings: what an examination of the file found.
  public static func causes(
    of snapshot: PlaybackSnapshot, since earlier: PlaybackSnapshot? = nil, findings: [MediaFinding] = []
  ) -> [PlaybackDiagnosis] {
    let rules = PlaybackRules(now: snapshot, earlier: earlier, findings: findings)
    return rules.failure.map { [$0] } ?? rules.idle + rules.transport + rules.picture + rules.sound + rules.media
  }
}
