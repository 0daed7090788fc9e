import Foundation
import MediaDiagnosis
import MediaTestSupport
import Testing

@Suite struct CatalogueTests {
  @Test func everyFinding_hasAStableName_aMeaningAndARemedy() {
    for kind in FindingKind.allCases {
      let name = kind.rawValue
      #expect(name.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "-") }, "\(name)")
      #expect(kind.meaning.hasSuffix(".") && !kind.remedy.isEmpty, "\(name)")
    }
  }

  @Test func thePageOfFindings_hasARowForEach_andNoOther() throws {
    let page = try String(contentsOf: try Fixture.existing("Docs/Doctor.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    let expected = FindingKind.allCases.map { kind in
      "| `\(kind.rawValue)` | \(kind.severity.rawValue) | \(kind.layer.rawValue) | \(kind.meaning) | \(kind.remedy) |"
    }
    #expect(rows == expected)
  }
}
