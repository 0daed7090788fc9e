internal import Foundation

/// Compares text with a file beside the test. `RECORD_DUMPS=1` writes the file, and the test fails all the same:
/// a recording is to be read before it counts.
package enum GoldenDump {
  package enum Difference: Error, CustomStringConvertible {
    case recorded(String)
    case missing(String)
    case differs(String, line: Int, expected: String, found: String)

    package var description: String {
      switch self {
      case .recorded(let path): "Recorded \(path). Read it, then run again without RECORD_DUMPS."
      case .missing(let path): "There is no dump \(path). Run once with RECORD_DUMPS=1 and read what it wrote."
      case .differs(let path, let line, let expected, let found):
        "\(path):\(line): expected “\(expected)”, found “\(found)”"
      }
    }
  }

  /// - Parameter name: the file `Dumps/NAME.txt` in the folder of the test's source.
  package static func check(_ lines: [String], _ name: String, testFile: String = #filePath) throws(Difference) {
    let folder = URL(fileURLWithPath: testFile).deletingLastPathComponent().appendingPathComponent("Dumps")
    let url = folder.appendingPathComponent(name + ".txt")
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["RECORD_DUMPS"] == "1" {
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try? Data(text.utf8).write(to: url)
      throw .recorded(url.path)
    }
    guard let data = FileManager.default.contents(atPath: url.path) else { throw .missing(url.path) }
    let expected = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let found = text.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(expected.count, found.count) {
      let left = index < expected.count ? String(expected[index]) : "(nothing)"
      let right = index < found.count ? String(found[index]) : "(nothing)"
      if left != right { throw .differs(url.path, line: index + 1, expected: left, found: right) }
    }
  }
}
