import CoreVideo
import Foundation
import MediaTestSupport
import Testing

struct FixtureTests {
  @Test func missingFixtureThrowsAndSaysHowToMakeIt() {
    #expect {
      try Fixture.url("no-such-clip.mp4")
    } throws: { error in
      "\(error)".contains("no-such-clip.mp4") && "\(error)".contains("./run test")
    }
  }

  @Test func everyRecipeHasItsClip() throws {
    let recipes = try FileManager.default.contentsOfDirectory(
      atPath: Fixture.packageRoot.appendingPathComponent("Fixtures/recipes").path)
    #expect(recipes.count > 40)
    for recipe in recipes where recipe.hasSuffix(".sh") {
      #expect(try Data(contentsOf: Fixture.url(String(recipe.dropLast(3)))).isEmpty == false)
    }
  }

  @Test func filmIsThereAndSmall() throws {
    let size = try Data(contentsOf: Fixture.film()).count
    #expect(size > 100_000 && size <= 600_000)
  }
}
