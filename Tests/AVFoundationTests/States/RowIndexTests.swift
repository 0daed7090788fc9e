import Foundation
import Testing

/// Every row of the time control table has a test that names it.
@Suite struct RowIndexTests {
  @Test("Rows 1 to 25 stand in the names of tests on both clips; 23 is said to have none")
  func everyRowIsNamed() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    var named: Set<Int> = []
    for file in files where file.lastPathComponent.hasSuffix("Rows.swift") {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard let match = line.firstMatch(of: /@Test\("Rows? ([0-9, ]+)/), line.contains("Clip.allCases") else {
          continue
        }
        named.formUnion(match.1.split(separator: ",").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) })
      }
    }
    #expect(named == Set(1...25).subtracting([23]))
  }
}
