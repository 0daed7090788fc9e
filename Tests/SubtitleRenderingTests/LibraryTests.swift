import CoreMedia
import MediaEngine
import MediaRuntime
import SubtitleRendering
import Testing

@Suite struct LibraryTests {
  static let missing: @Sendable () throws(MediaError) -> AssLibrary = { () throws(MediaError) in
    try AssLibrary(
      LazyLibrary("libass", sonames: ["libass-that-is-not-there.so"], package: "libass9", missing: .textUndrawable))
  }

  @Test func aMissingLibraryIsAnErrorThatNamesThePackage() throws {
    let renderer = SubtitleRenderer(library: Self.missing)
    let overlay = renderer.overlay(of: shown([cue("text")]), at: .zero, wide)
    #expect(overlay.isEmpty)
    let problem = try #require(renderer.problem)
    #expect(problem.code == .textUndrawable)
    #expect(problem.message.contains("libass9"))
    // The next moment without text has no problem.
    _ = renderer.overlay(of: ShownSubtitles(), at: .zero, wide)
    #expect(renderer.problem == nil)
  }
}
