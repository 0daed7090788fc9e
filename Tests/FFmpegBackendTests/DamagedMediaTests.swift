import Foundation
import MediaTestSupport
import Testing

@Suite struct DamagedMediaTests {
  @Test func damagedMediaEndInAnErrorOrAPartialPlay() {
    let fuzz = ContainerFuzz(folder: Fixture.packageRoot.appendingPathComponent("Fixtures/Generated"))
    #expect(fuzz.fileCount > 10)
    var opened = 0
    for number in 0..<40 where fuzz.runCase(number, seed: 1) { opened += 1 }
    #expect(opened > 0)
  }
}
