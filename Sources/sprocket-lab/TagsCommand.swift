import AVFoundation
import Foundation

/// `tag FILE` prints the tags of one file as an app reads them; `tags DIR` does so for every file of
/// DIR/files/tinytag/expected_tags.dev.json, each in a process of its own, and compares.
enum TagsCommand {
  private static let hangLimit = 20.0
  private static let table = "files/tinytag/expected_tags.dev.json"
  private static let samples = "files/tinytag/tinytag/tests"

  static func readOne(_ arguments: [String]) throws -> Int32 {
    guard let path = arguments.first else { throw UsageError(description: "which file?") }
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    let tags = asset.metadata.map { item in
      let key = (item.key as? NSString).map { $0 as String } ?? ""
      return ReadTag(key: key, commonKey: item.commonKey?.rawValue, text: item.stringValue)
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(tags))
    return 0
  }

  /// `tags DIR [--only TEXT]`
  static func run(_ arguments: [String]) throws -> Int32 {
    guard let path = arguments.first else { throw UsageError(description: "tags DIR [--only TEXT]") }
    let only = arguments.firstIndex(of: "--only").flatMap { arguments.dropFirst($0 + 1).first }
    let folder = URL(fileURLWithPath: path)
    let text = try Data(contentsOf: folder.appendingPathComponent(table))
    let files = try JSONDecoder().decode([String: ExpectedTags].self, from: text)
    let rows = files.sorted { $0.key < $1.key }.filter { row in only.map(row.key.contains) ?? true }
    guard !rows.isEmpty else { throw UsageError(description: "no row to judge") }
    let differences = Parallel.map(rows, width: 2) { name, expected -> [String] in
      let file = folder.appendingPathComponent(samples).appendingPathComponent(name)
      do {
        let child = try ChildProcess.run(CommandLine.arguments[0], ["tag", file.path], limit: hangLimit)
        switch child.ending {
        case .hang: return ["hang"]
        case .signal(let number): return ["signal \(number) \(child.complaint.suffix(300))"]
        case .exit(let status) where status != 0: return ["exit \(status) \(child.complaint.suffix(300))"]
        case .exit: break
        }
        return expected.differences(from: try JSONDecoder().decode([ReadTag].self, from: child.output))
      } catch {
        return ["\(error)"]
      }
    }
    for (row, list) in zip(rows, differences) where !list.isEmpty {
      print("\(row.key): \(list.joined(separator: "; "))")
    }
    print("tags: \(differences.filter(\.isEmpty).count) of \(rows.count) files agree")
    return differences.allSatisfy(\.isEmpty) ? 0 : 1
  }
}
