import FFmpegBackend
import Foundation
import MediaDiagnosis
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport

/// `diagnose FILE` prints what the doctor finds in one file; `doctor DIR` examines every file of DIR/truth.tsv that FFmpeg
/// decodes without complaint and as long as its header says, each in a process of its own, and fails on anything worse than
/// a note.
enum DoctorCommand {
  private static let hangLimit = 60.0
  /// Fewer files prove nothing.
  private static let least = 200
  /// How far the header and what is decoded may differ in a healthy file: in seconds, or of the whole.
  private static let slack = (seconds: 0.5, share: 0.02)

  private struct Report: Codable {
    struct Finding: Codable {
      var name: String
      var message: String
    }
    var findings: [Finding]
  }

  static func examineOne(_ arguments: [String]) throws -> Int32 {
    guard let path = arguments.first else { throw UsageError(description: "which file?") }
    let environment = EngineEnvironment(
      scheduler: RealScheduler.shared, backend: FFmpegMediaBackend(), sources: LocalSourceOpener(),
      audioSinks: CapturingAudioSinks())
    let examination = FileExamination(URL(fileURLWithPath: path), address: path, environment: environment)
    while true {
      guard case .done(let diagnosis) = examination.step() else { continue }
      let findings = diagnosis.findings.filter { $0.severity > .note }
        .map { Report.Finding(name: $0.kind.rawValue, message: $0.message) }
      FileHandle.standardOutput.write(try JSONEncoder().encode(Report(findings: findings)))
      return 0
    }
  }

  /// `doctor DIR [--only TEXT]`
  static func run(_ arguments: [String]) throws -> Int32 {
    guard let path = arguments.first else { throw UsageError(description: "doctor DIR [--only TEXT]") }
    let only = arguments.firstIndex(of: "--only").flatMap { arguments.dropFirst($0 + 1).first }
    let folder = URL(fileURLWithPath: path)
    let table = try TruthTable(String(contentsOf: folder.appendingPathComponent("truth.tsv"), encoding: .utf8))
    var seen: Set<String> = []
    let rows = table.rows.filter { row in
      isHealthy(row) && only.map(row.path.contains) ?? true && (row.digest.isEmpty || seen.insert(row.digest).inserted)
    }
    guard only != nil || rows.count >= least else {
      throw UsageError(description: "\(rows.count) healthy rows, \(least) are wanted")
    }
    let outcomes = Parallel.map(rows, width: 2) { row -> [String] in
      let file = folder.appendingPathComponent("files").appendingPathComponent(row.path)
      do {
        let child = try ChildProcess.run(CommandLine.arguments[0], ["diagnose", file.path], limit: hangLimit)
        switch child.ending {
        case .hang: return ["hang"]
        case .signal(let number): return ["signal \(number) \(child.complaint.suffix(300))"]
        case .exit(let status) where status != 0: return ["exit \(status) \(child.complaint.suffix(300))"]
        case .exit: break
        }
        return try JSONDecoder().decode(Report.self, from: child.output).findings
          .filter { KnownFault.reasons[KnownFault(path: row.path, finding: $0.name)] == nil }
          .map { "\($0.name): \($0.message)" }
      } catch {
        return ["\(error)"]
      }
    }
    for (row, list) in zip(rows, outcomes) where !list.isEmpty {
      print("\(row.path): \(list.joined(separator: "; "))")
    }
    print("doctor: nothing wrong is said of \(outcomes.count(where: \.isEmpty)) of \(rows.count) healthy files")
    return outcomes.allSatisfy(\.isEmpty) ? 0 : 1
  }

  private static func isHealthy(_ row: TruthTable.Row) -> Bool {
    guard row.kind == "media", row.status == "ok", let duration = row.duration, let decoded = row.decoded else {
      return false
    }
    return abs(duration - decoded) <= max(slack.seconds, slack.share * duration)
  }
}

/// A fault that a file really has, though FFmpeg decodes what there is of it without complaint.
struct KnownFault: Hashable {
  var path: String
  var finding: String

  static let reasons: [KnownFault: String] = [
    KnownFault(path: "jcodec/src/test/resources/sample-96kbps.wav", finding: "truncated"):
      "its header states 7,041,068 bytes of media, the file has 307,200; FFmpeg takes what there is for the whole",
    KnownFault(path: "tinytag/tinytag/tests/samples/test.opus", finding: "truncated"):
      "its last page has 14,964 bytes to go to, the file ends at 10,000; FFmpeg passes over the part of the page",
  ]
}
