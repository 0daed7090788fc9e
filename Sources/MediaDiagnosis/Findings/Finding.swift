/// One thing that was found in a file, in plain values (`Encodable`; keys are stable).
package struct Finding: Encodable, Hashable, Sendable {
  /// How much it matters.
  package enum Severity: String, Encodable, Comparable, Sendable, CaseIterable {
    /// True and worth knowing; nothing is wrong.
    case note
    /// It plays, but not as it should, or not everywhere.
    case warning
    /// It does not play, or not to its end.
    case fault

    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .fault: 2
      }
    }
  }

  /// Where the cause lies.
  package enum Layer: String, Encodable, Sendable, CaseIterable {
    /// The file system or the bytes' way here.
    case file
    case container
    /// A track's samples: their times, key frames and place in the file.
    case track
    /// The compressed media, or what this machine can decode.
    case codec
    /// What is seen and heard.
    case content
    /// This machine.
    case machine
  }

  package var kind: FindingKind
  package var severity: Severity
  /// `MediaTrack.id`; nil for the whole file.
  package var track: Int32?
  /// What was found, in whole sentences with numbers.
  package var message: String
  /// What to do, in a sentence.
  package var remedy: String
  /// The numbers behind the message; times in seconds, sizes in bytes.
  package var evidence: [String: Evidence]

  package init(
    _ kind: FindingKind, track: Int32? = nil, severity: Severity? = nil, _ message: String, remedy: String? = nil,
    _ evidence: [String: Evidence] = [:]
  ) {
    self.kind = kind
    self.track = track
    self.severity = severity ?? kind.severity
    self.message = message
    self.remedy = remedy ?? kind.remedy
    self.evidence = evidence
  }

  package var layer: Layer { kind.layer }

  private enum Key: String, CodingKey { case id, severity, layer, track, message, remedy, evidence }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind.rawValue, forKey: .id)
    try container.encode(severity, forKey: .severity)
    try container.encode(layer, forKey: .layer)
    try container.encodeIfPresent(track, forKey: .track)
    try container.encode(message, forKey: .message)
    try container.encode(remedy, forKey: .remedy)
    try container.encode(evidence, forKey: .evidence)
  }
}

/// A number or word that a finding rests on.
package enum Evidence: Encodable, Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  case count(Int64)
  case seconds(Double)
  case text(String)

  package init(integerLiteral value: Int64) { self = .count(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(_ value: Int) { self = .count(Int64(value)) }
  package init(_ value: Int64) { self = .count(value) }
  package init(_ value: String) { self = .text(value) }

  /// Microseconds are as fine as anybody reads; what is no number says so.
  package init(seconds value: Double) {
    self = value.isFinite ? .seconds((value * 1_000_000).rounded() / 1_000_000) : .text("unknown")
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .count(let value): try container.encode(value)
    case .seconds(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    }
  }
}
