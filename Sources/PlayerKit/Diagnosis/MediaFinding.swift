/// What an examination of a file found, given as data: `sprocket doctor --json` writes its findings in this form. Other
/// checks may give theirs the same way.
public struct MediaFinding: Hashable, Codable, Sendable {
  public enum Severity: String, Hashable, Codable, Sendable {
    /// True and worth knowing; nothing is wrong.
    case note
    /// It plays, but not as it should.
    case warning
    /// It does not play, or not to its end.
    case fault
  }

  /// A stable name, such as `truncated`; unknown ones are passed over.
  public var id: String
  public var severity: Severity
  /// The track that it is about; nil for the whole file.
  public var track: Int?
  /// What was found, for people.
  public var message: String
  /// What to do about it, for people.
  public var remedy: String

  public init(id: String, severity: Severity, track: Int? = nil, message: String, remedy: String) {
    self.id = id
    self.severity = severity
    self.track = track
    self.message = message
    self.remedy = remedy
  }
}
