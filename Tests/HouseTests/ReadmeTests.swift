import AVFoundation
import MediaTestSupport
import Testing

/// README's example is a source of this target: it compiles, it is what README says, and it does what README says.
struct ReadmeTests {
  @Test func exampleIsThisTargetsSource() throws {
    let readme = try String(contentsOf: Fixture.existing("README.md"), encoding: .utf8)
    let source = try String(contentsOf: Fixture.existing("Tests/HouseTests/ReadmeExample.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(source)```\n"))
  }

  @Test func exampleTellsTheFilmsDuration() async throws {
    #expect(try await seconds(of: Fixture.film().path) == 12)
  }

  @Test @MainActor func exampleStartsTheFilm() throws {
    let (player, watch) = start(try Fixture.film().path)
    #expect(player.rate == 1)
    #expect(player.timeControlStatus != .paused)
    watch.invalidate()
    player.replaceCurrentItem(with: nil)
  }

  @Test func filesThatReadmeNamesExist() throws {
    let readme = try String(contentsOf: Fixture.existing("README.md"), encoding: .utf8)
    for match in readme.matches(of: #/\]\(([A-Za-z][^):]*)\)/#) {
      #expect(throws: Never.self) { try Fixture.existing(String(match.output.1)) }
    }
  }
}
