/// What the examination of a file found: for `sprocket doctor` and for scripts (`Encodable`; keys are stable).
package struct Diagnosis: Encodable, Sendable {
  package enum Verdict: String, Encodable, Sendable {
    /// Nothing but notes.
    case healthy
    case warnings
    case faults
  }

  /// How much was looked at.
  package enum Extent: String, Encodable, Sendable {
    /// The file was not opened.
    case none
    case header
    /// All was read and decoded, as far as it goes.
    case whole
    /// Up to a limit of the examination.
    case part
  }

  package var address: String
  package var verdict: Verdict
  package var examined: Extent
  package var container: String?
  /// Seconds.
  package var duration: Double?
  package var bytes: Int64?
  /// Such as `h264`, by the order in the file.
  package var codecs: [String]
  /// The gravest first.
  package var findings: [Finding]

  init(_ address: String, examined: Extent, findings: [Finding]) {
    self.address = address
    self.examined = examined
    codecs = []
    self.findings = findings.enumerated()
      .sorted { ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset) }.map(\.element)
    switch findings.map(\.severity).max() {
    case .fault: verdict = .faults
    case .warning: verdict = .warnings
    case .note, nil: verdict = .healthy
    }
  }

  /// For an address that names no file.
  package static func unreachable(_ address: String, _ message: String) -> Diagnosis {
    Diagnosis(address, examined: .none, findings: [Finding(.badAddress, message)])
  }

  /// The bytes can't be had, whatever is in them.
  package var isOutOfReach: Bool { findings.contains { $0.severity == .fault && $0.layer == .file } }
}
