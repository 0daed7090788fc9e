import Foundation

/// The process's threads whose names begin so, and how often each has slept, from /proc.
package enum ThreadCensus {
  package static func names(_ prefix: String) -> [String] { threads(prefix).map(\.name).sorted() }

  /// Voluntary context switches of all of them: how often they went to sleep.
  package static func sleeps(_ prefix: String) -> Int { threads(prefix).reduce(0) { $0 + $1.sleeps } }

  /// The same for each thread, by its name and number.
  package static func sleepsByThread(_ prefix: String) -> [String: Int] {
    Dictionary(threads(prefix).map { ("\($0.name) \($0.id)", $0.sleeps) }, uniquingKeysWith: +)
  }

  private static func threads(_ prefix: String) -> [(name: String, id: String, sleeps: Int)] {
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
      return (name, task, fields["voluntary_ctxt_switches"].flatMap { Int($0) } ?? 0)
    }
  }
}
