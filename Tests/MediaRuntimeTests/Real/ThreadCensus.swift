import Foundation

/// The process's threads whose names begin so, and how often each has slept, from /proc.
enum ThreadCensus {
  static func names(_ prefix: String) -> [String] { threads(prefix).map(\.name).sorted() }

  /// Voluntary context switches of all of them: how often they went to sleep.
  static func sleeps(_ prefix: String) -> Int { threads(prefix).reduce(0) { $0 + $1.sleeps } }

  private static func threads(_ prefix: String) -> [(name: String, sleeps: Int)] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.compactMap { task in
      guard let status = try? String(contentsOfFile: "/proc/self/task/\(task)/status", encoding: .utf8) else {
        return nil
      }
      var fields: [Substring: String] = [:]
      for line in status.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { fields[parts[0]] = parts[1].trimmingCharacters(in: .whitespaces) }
      }
      guard let name = fields["Name"], name.hasPrefix(prefix) else { return nil }
      return (name, fields["voluntary_ctxt_switches"].flatMap { Int($0) } ?? 0)
    }
  }
}
