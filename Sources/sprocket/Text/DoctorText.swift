import MediaDiagnosis

/// A diagnosis as text for people.
enum DoctorText {
  /// Columns of text, as far as words can be parted.
  private static let width = 100
  private static let indent = 14

  static func text(_ diagnosis: Diagnosis) -> String {
    var out = "\(StatusLine.printable(diagnosis.address))\n"
    row("verdict", verdict(diagnosis), into: &out)
    for finding in diagnosis.findings {
      let track = finding.track.map { ", track \($0)" } ?? ""
      row(finding.severity.rawValue, "\(finding.kind.rawValue) (\(finding.layer.rawValue)\(track))", into: &out)
      row("", finding.message, into: &out)
      row("", "→ " + finding.remedy, into: &out)
    }
    return out
  }

  private static func verdict(_ diagnosis: Diagnosis) -> String {
    let counts = Finding.Severity.allCases.reversed().compactMap { severity -> String? in
      let count = diagnosis.findings.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    var parts: [String] = []
    if diagnosis.verdict == .healthy { parts.append("healthy") }
    parts += counts
    switch diagnosis.examined {
    case .none: parts.append("not opened")
    case .header: parts.append("by its header alone")
    case .whole: parts.append("all of it read and decoded")
    case .part: parts.append("read in part")
    }
    return parts.joined(separator: ", ")
  }

  private static func row(_ name: String, _ value: String, into out: inout String) {
    var line = "  \(name)\(String(repeating: " ", count: max(indent - 2 - name.count, 1)))"
    var used = 0
    for word in StatusLine.printable(value).split(separator: " ") {
      let columns = StatusLine.columns(String(word))
      if used > 0, indent + used + 1 + columns > width {
        out += line + "\n"
        line = String(repeating: " ", count: indent)
        used = 0
      }
      line += (used > 0 ? " " : "") + word
      used += (used > 0 ? 1 : 0) + columns
    }
    out += line + "\n"
  }
}
