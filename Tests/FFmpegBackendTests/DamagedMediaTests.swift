import Foundation
import MediaTestSupport
import Testing

@Suite struct DamagedMediaTests {
  @Test func damagedMediaEndInAnErrorOrAPartialPlay() {
    let fuzz = ContainerFuzz(folder: Fixture.packageRoot.appendingPathComponent("Fixtures/Generated"))
    #expect(fuzz.fileCount > 10)
    var opened = 0
    for number in 0..<40 {
      guard case .opened(let broken) = fuzz.runCase(number, seed: 1) else { continue }
      opened += 1
      #expect(broken.isEmpty, "case \(number)")
    }
    #expect(opened > 0)
  }
}
