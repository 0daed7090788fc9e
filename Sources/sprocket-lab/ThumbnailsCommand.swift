import AVFoundation
import Foundation
import MediaTestSupport

/// `thumbnail FILE` makes two pictures of one file, that of a key frame and the exact one of its time, and prints what came;
/// `thumbnails DIR` does so for every video of DIR/truth.tsv, each in a process of its own.
enum ThumbnailsCommand {
  private static let hangLimit = 60.0

  struct Report: Codable {
    var hasVideo = false
    /// FFmpeg's tool decodes what is encrypted, to noise.
    var isProtected = false
    var problem: String?
  }

  static func makeOne(_ arguments: [String]) throws -> Int32 {
    guard let path = arguments.first else { throw UsageError(description: "which file?") }
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    var report = Report()
    let video = asset.tracks(withMediaType: .video)
    report.hasVideo = !video.isEmpty
    if report.hasVideo {
      let generator = AVAssetImageGenerator(asset: asset)
      generator.appliesPreferredTrackTransform = true
      generator.maximumSize = CGSize(width: 256, height: 256)
      let duration = asset.duration.isNumeric ? asset.duration : .zero
      let place = CMTimeMultiplyByFloat64(duration, multiplier: 0.1)
      do {
        var time = CMTime.zero
        _ = try generator.copyCGImage(at: place, actualTime: &time)
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        var again = CMTime.zero
        _ = try generator.copyCGImage(at: time, actualTime: &again)
        if again != time { report.problem = "the picture of \(time.seconds) s came from \(again.seconds) s" }
      } catch {
        report.problem = (error as NSError).localizedDescription
        report.isProtected = (error as? AVError)?.code == .contentIsProtected
      }
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(report))
    return 0
  }

  /// `thumbnails DIR [--only TEXT]`
  static func run(_ arguments: [String]) throws -> Int32 {
    guard let path = arguments.first else { throw UsageError(description: "thumbnails DIR [--only TEXT]") }
    let only = arguments.firstIndex(of: "--only").flatMap { arguments.dropFirst($0 + 1).first }
    let folder = URL(fileURLWithPath: path)
    let table = try TruthTable(String(contentsOf: folder.appendingPathComponent("truth.tsv"), encoding: .utf8))
    let rows = table.rows.filter { row in row.kind == "media" && only.map(row.path.contains) ?? true }
    guard !rows.isEmpty else { throw UsageError(description: "no row to judge") }
    let outcomes = Parallel.map(rows, width: 2) { row -> (isGood: Bool, isExpected: Bool) in
      let file = folder.appendingPathComponent("files").appendingPathComponent(row.path)
      // What FFmpeg itself decodes.
      let isExpected = row.framesDecoded > 0
      func outcome(_ complaint: String) -> (Bool, Bool) {
        if isExpected { complain("\(row.path) [\(row.status)]: \(complaint)") }
        return (false, isExpected)
      }
      do {
        let child = try ChildProcess.run(CommandLine.arguments[0], ["thumbnail", file.path], limit: hangLimit)
        switch child.ending {
        case .hang: return outcome("hang")
        case .signal(let number):
          complain("\(row.path): signal \(number)")
          return (false, true)
        case .exit(let status) where status != 0: return outcome("exit \(status) \(child.complaint.suffix(300))")
        case .exit: break
        }
        let report = try JSONDecoder().decode(Report.self, from: child.output)
        if report.isProtected { return (false, false) }
        guard report.hasVideo else { return outcome("no video") }
        guard let problem = report.problem else { return (true, isExpected) }
        return outcome(problem)
      } catch {
        return outcome("\(error)")
      }
    }
    let videos = outcomes.filter(\.isExpected)
    let good = videos.filter(\.isGood).count
    let more = outcomes.filter { $0.isGood && !$0.isExpected }.count
    print("thumbnails: \(good) of \(videos.count) videos that decode; \(more) more without a frame in the table")
    return good == videos.count ? 0 : 1
  }
}
