import CoreMedia
import MediaEngine
import MediaRuntime
import SubtitleRendering
import Testing

/// What an unchanged moment costs: nothing of libass.
@Suite struct CachingTests {
  @Test func unchangedTextIsDrawnOnce() {
    let renderer = SubtitleRenderer(appearance: testAppearance)
    let shown = shown([cue("Hello"), cue("you")])
    let first = renderer.overlay(of: shown, at: seconds(1), wide)
    let drawings = renderer.drawings
    for frame in 0..<1_000 {
      let overlay = renderer.overlay(of: shown, at: seconds(1 + Double(frame) / 250), wide)
      #expect(overlay.revision == first.revision)
    }
    #expect(renderer.drawings == drawings)
  }

  @Test func aNewCueDrawsItselfAlone() {
    let renderer = SubtitleRenderer(appearance: testAppearance)
    _ = renderer.overlay(of: shown([cue("Hello")]), at: seconds(1), wide)
    let one = renderer.drawings
    let both = renderer.overlay(of: shown([cue("Hello"), cue("you", from: 1)]), at: seconds(1), wide)
    #expect(renderer.drawings == 2 * one)
    let alone = renderer.overlay(of: shown([cue("Hello")]), at: seconds(2), wide)
    #expect(renderer.drawings == 2 * one)
    #expect(alone.revision != both.revision)
  }

  @Test func scriptsThatDontMoveAreDrawnOnce() {
    let renderer = SubtitleRenderer(appearance: testAppearance)
    let still = ScriptTests.layer([ScriptTests.event(#"{\pos(100,100)}Sign"#)])
    for frame in 0..<100 { _ = renderer.overlay(of: still, at: seconds(Double(frame) / 100), wide) }
    #expect(renderer.drawings == 1)
  }

  @Test func scriptsThatMoveAreTheSameWhileNothingChanges() {
    let renderer = SubtitleRenderer(appearance: testAppearance)
    let fading = ScriptTests.layer([ScriptTests.event(#"{\fad(500,0)}Fade"#)])
    let revisions = (0..<100).map { renderer.overlay(of: fading, at: seconds(Double($0) / 50), wide).revision }
    #expect(renderer.drawings == 100)
    #expect(Set(revisions[0..<25]).count > 20)
    #expect(Set(revisions[26...]).count == 1)
  }

  @Test func anotherSizeOrWishDrawsAnew() throws {
    let renderer = SubtitleRenderer(appearance: testAppearance)
    let shown = shown([cue("HHH")])
    let small = Drawing(renderer.overlay(of: shown, at: seconds(1), wide))
    let large = Drawing(renderer.overlay(of: shown, at: seconds(1), SubtitleGeometry(width: 1280, height: 720)))
    #expect(try #require(large.white).width > (small.white?.width ?? 0) * 3 / 2)
    renderer.appearance = scaled(2)
    let doubled = Drawing(renderer.overlay(of: shown, at: seconds(1), wide))
    #expect(try #require(doubled.white).width > (small.white?.width ?? 0) * 3 / 2)
    renderer.appearance = testAppearance
    #expect(renderer.overlay(of: shown, at: seconds(1), wide).pieces == small.overlay.pieces)
  }

  @Test func nothingIsDrawnForNothing() {
    let renderer = SubtitleRenderer(library: LibraryTests.missing)
    for geometry in [
      SubtitleGeometry(width: 0, height: 0), SubtitleGeometry(width: -5, height: 10),
      SubtitleGeometry(width: 1 << 40, height: 1 << 40), SubtitleGeometry(width: 16_384, height: 16_384),
    ] {
      #expect(renderer.overlay(of: shown([cue("text")]), at: .zero, geometry).isEmpty)
    }
    #expect(renderer.overlay(of: shown([cue("text")]), at: .invalid, wide).isEmpty)
    #expect(renderer.overlay(of: ShownSubtitles(), at: .zero, wide).isEmpty)
    #expect(renderer.problem == nil)
  }

  @Test func manyLayersAndCuesAreBounded() {
    let cues = (0..<2_000).map { cue("cue number \($0) with some words", from: Double($0) / 1_000) }
    let layers = ShownSubtitles((0..<50).map { _ in SubtitleLayer(cues: cues) })
    let renderer = SubtitleRenderer(appearance: testAppearance)
    let overlay = renderer.overlay(of: layers, at: seconds(3), SubtitleGeometry(width: 320, height: 180))
    #expect(overlay.pieces.count <= 8 * 32)
  }
}
