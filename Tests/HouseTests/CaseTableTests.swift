import Foundation
import MediaTestSupport
import Testing

/// Docs/FaultCases.md names the suites that hold the tests of each case.
@Suite struct CaseTableTests {
  /// Case → suites, from the table.
  private func table() throws -> [String: Set<String>] {
    let text = try String(contentsOf: Fixture.existing("Docs/FaultCases.md"), encoding: .utf8)
    var table: [String: Set<String>] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| P") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      table[cells[0]] = Set(cells[2].components(separatedBy: ", "))
    }
    return table
  }

  /// Case → suites, from the tests' display names.
  private func tests() throws -> [String: Set<String>] {
    let root = try Fixture.existing("Tests")
    var tests: [String: Set<String>] = [:]
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      let marks = text.matches(of: /(?:struct (?<suite>\w+(?:Tests|Cases)))|(?:@Test\(\s*"P(?<number>\d{3})\D)/)
      var suite = ""
      for mark in marks {
        if let name = mark.suite { suite = String(name) }
        if let number = mark.number { tests["P\(number)", default: []].insert(suite) }
      }
    }
    return tests
  }

  @Test func everyCaseHasTheTestsThatTheTableNames() throws {
    let (table, tests) = (try table(), try tests())
    #expect(table.count == 23)
    for (number, suites) in table.sorted(by: { $0.key < $1.key }) {
      #expect(tests[number] == suites, "\(number)")
    }
    #expect(Set(tests.keys) == Set(table.keys))
  }
}
