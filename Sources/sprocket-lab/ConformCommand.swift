import FFmpegBackend
import Foundation
import MediaTestSupport

/// `conform FILE [SECONDS]` plays one file, for so long at most, and prints what came; `conformance DIR` does so for every
/// row of DIR/truth.tsv, each in a process of its own, and compares with the oracle.
enum ConformCommand {
  /// Seconds after which a file counts as hanging.
  private static let hangLimit = 20.0

  static func playOne(_ arguments: [String]) throws -> Int32 {
    guard let path = arguments.first else { throw UsageError(description: "which file?") }
    let longest = arguments.dropFirst().first.flatMap(Double.init) ?? 36_000
    let report = ConformancePlay.report(
      of: URL(fileURLWithPath: path), backend: FFmpegMediaBackend(), longest: longest)
    FileHandle.standardOutput.write(try JSONEncoder().encode(report))
    return 0
  }

  /// `subtitles FILE KIND STATUS PACKETS` reads the subtitles of one file; what differs goes to the standard output.
  static func judgeSubtitles(_ arguments: [String]) throws -> Int32 {
    guard arguments.count == 4, let packets = Int(arguments[3]) else {
      throw UsageError(description: "subtitles FILE KIND STATUS PACKETS")
    }
    let file = URL(fileURLWithPath: arguments[0])
    let found =
      arguments[1] == "media"
      ? try SubtitleVerdict.difference(inTracksOf: file, packets: packets)
      : try SubtitleVerdict.difference(file, status: arguments[2], packets: packets)
    guard let difference = found else { return 0 }
    FileHandle.standardOutput.write(Data(difference.utf8))
    return 2
  }

  struct Result: Codable {
    struct Disagreement: Codable {
      var path: String
      var status: String
      var reason: String
    }
    var total = 0
    var agreed = 0
    var traps = 0
    var hangs = 0
    var disagreements: [Disagreement] = []
  }

  /// `conformance DIR --oracle PROGRAM --cache FOLDER [--json] [--only TEXT] [--gate PERMILLE]`
  static func run(_ arguments: [String]) throws -> Int32 {
    let options = try Options(arguments)
    let table = try TruthTable(String(contentsOf: options.folder.appendingPathComponent("truth.tsv"), encoding: .utf8))
    let rows = table.rows.filter { options.only.map($0.path.contains) ?? true }
    guard !rows.isEmpty else { throw UsageError(description: "no row to judge") }
    let judge = RowJudge(options: options)
    let outcomes = Parallel.map(rows, width: 2) { row in
      let outcome = judge.outcome(of: row)
      // At once, so that a run that is cut short has told what it found.
      if case .agreed = outcome {} else { complain("\(row.path) [\(row.status)]: \(outcome)") }
      return outcome
    }

    var result = Result(total: rows.count)
    for (row, outcome) in zip(rows, outcomes) {
      switch outcome {
      case .agreed: result.agreed += 1
      case .disagreed(let reason):
        result.disagreements.append(.init(path: row.path, status: row.status, reason: reason))
      case .trapped(let reason):
        result.traps += 1
        result.disagreements.append(.init(path: row.path, status: row.status, reason: "trap: \(reason)"))
      case .hung:
        result.hangs += 1
        result.disagreements.append(.init(path: row.path, status: row.status, reason: "hang"))
      }
    }
    if options.isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      print(String(decoding: try encoder.encode(result), as: UTF8.self))
    } else {
      print(
        "conformance: \(result.agreed) of \(result.total) agreed, \(result.traps) traps, \(result.hangs) hangs, "
          + "\(result.disagreements.count) disagreements")
    }
    if let permille = options.gate {
      let allowed = result.total * permille / 1_000
      let isPassed = result.traps == 0 && result.hangs == 0 && result.disagreements.count <= allowed
      if !isPassed { complain("conformance: at most \(allowed) disagreements, no trap and no hang are allowed") }
      return isPassed ? 0 : 1
    }
    return result.traps == 0 && result.hangs == 0 ? 0 : 1
  }

  struct Options: Sendable {
    var folder: URL
    var oracle = ""
    var cache: URL
    var isJSON = false
    var only: String?
    /// How many of a thousand rows may disagree.
    var gate: Int?

    init(_ arguments: [String]) throws {
      var words = arguments[...]
      func value(_ name: String) throws -> String {
        guard let value = words.popFirst() else { throw UsageError(description: "\(name) needs a value") }
        return value
      }
      var folder: String?
      var cache: String?
      while let word = words.popFirst() {
        switch word {
        case "--oracle": oracle = try value(word)
        case "--cache": cache = try value(word)
        case "--only": only = try value(word)
        case "--json": isJSON = true
        case "--gate": gate = Int(try value(word))
        default: folder = word
        }
      }
      guard let folder, let cache, !oracle.isEmpty else {
        throw UsageError(description: "conformance DIR --oracle PROGRAM --cache FOLDER [--json] [--only TEXT]")
      }
      self.folder = URL(fileURLWithPath: folder)
      self.cache = URL(fileURLWithPath: cache)
    }
  }

  enum Outcome: Sendable {
    case agreed
    case disagreed(String)
    case trapped(String)
    case hung
  }

  struct RowJudge: Sendable {
    let options: Options

    func outcome(of row: TruthTable.Row) -> Outcome {
      let file = options.folder.appendingPathComponent("files").appendingPathComponent(row.path)
      do {
        guard FileManager.default.fileExists(atPath: file.path) else { return .disagreed("the file is missing") }
        let child = try ChildProcess.run(CommandLine.arguments[0], ["conform", file.path], limit: hangLimit)
        switch child.ending {
        case .hang: return .hung
        case .signal(let number): return .trapped("signal \(number) \(child.complaint.suffix(300))")
        case .exit(let status) where status != 0: return .trapped("exit \(status) \(child.complaint.suffix(300))")
        case .exit: break
        }
        let report = try JSONDecoder().decode(PlaybackReport.self, from: child.output)
        let needsOracle = row.kind == "media" && (row.status == "ok" || row.status == "errors")
        let oracle = needsOracle ? try self.oracle(row, file) : OracleReport("done")
        guard oracle.isComplete else { return .disagreed("the oracle did not finish") }
        switch Verdict(row, played: report, oracle: oracle) {
        case .agreed:
          if let reason = try chapters(row, report, file) { return .disagreed(reason) }
          let hasTracks = row.kind == "media" && row.status == "ok" && row.subtitlePackets > 0
          return row.kind == "subtitle" || hasTracks ? try subtitles(row, file) : .agreed
        case .disagreed(let reason): return .disagreed(reason)
        }
      } catch {
        return .disagreed("\(error)")
      }
    }

    /// Chapters and covers of what decodes whole.
    private func chapters(_ row: TruthTable.Row, _ report: PlaybackReport, _ file: URL) throws -> String? {
      let isTold = row.kind == "media" && row.status == "ok"
      guard isTold, report.failure == nil, row.chapters ?? 0 > 0 || row.covers ?? 0 > 0 || !report.chapters.isEmpty
      else { return nil }
      let probe = try ChildProcess.run(
        "/usr/bin/env", ["ffprobe"] + ChapterVerdict.probeArguments + [file.path], limit: hangLimit)
      guard case .exit(0) = probe.ending else { return "ffprobe did not finish" }
      return try ChapterVerdict.difference(row, report, probe: probe.output)
    }

    /// What the parsers make of it, which playing does not show.
    private func subtitles(_ row: TruthTable.Row, _ file: URL) throws -> Outcome {
      let child = try ChildProcess.run(
        CommandLine.arguments[0], ["subtitles", file.path, row.kind, row.status, "\(row.subtitlePackets)"],
        limit: hangLimit)
      switch child.ending {
      case .hang: return .hung
      case .exit(0): return .agreed
      case .exit(2): return .disagreed(String(decoding: child.output, as: UTF8.self))
      case .exit, .signal: return .trapped("subtitles: \(child.complaint.suffix(300))")
      }
    }

    /// The oracle's answer, kept by the file's content.
    private func oracle(_ row: TruthTable.Row, _ file: URL) throws -> OracleReport {
      let kept = row.digest.isEmpty ? nil : options.cache.appendingPathComponent(row.digest)
      if let kept, let text = try? String(contentsOf: kept, encoding: .utf8) { return OracleReport(text) }
      let child = try ChildProcess.run(options.oracle, [file.path], limit: 120)
      let text = String(decoding: child.output, as: UTF8.self)
      let report = OracleReport(text)
      if let kept, report.isComplete { try? text.write(to: kept, atomically: true, encoding: .utf8) }
      return report
    }
  }
}
