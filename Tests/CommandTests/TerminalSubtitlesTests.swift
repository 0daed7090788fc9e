import AVFoundation
import MediaEngine
import Testing
import VideoOutput

@testable import sprocket

/// Subtitles in the pixels of a terminal's picture.
@MainActor @Suite struct TerminalSubtitlesTests {
  private func shown(_ text: String) -> ShownSubtitles {
    let cue = SubtitleCue(start: .zero, end: .indefinite, content: .text(StyledText(text)))
    return ShownSubtitles([SubtitleLayer(cues: [cue])])
  }

  @Test func textLiesInTheLowerPartOfTheSmallPicture() throws {
    let image = RGBImage(width: 160, height: 90)
    let subtitles = TerminalSubtitles()
    let composed = subtitles.composed(image, shown("Hi there"), at: .zero)
    #expect(subtitles.problem == nil)
    #expect(composed.width == 160 && composed.height == 90)
    let white = composed.bytes.indices.filter { composed.bytes[$0] > 200 }.map { $0 / 3 / 160 }
    let first = try #require(white.min())
    let last = try #require(white.max())
    // A line of twelve pixels is the least that can be read: capitals are half of it.
    #expect(first > 70 && last < 90 && last - first >= 5)
  }

  @Test func nothingShownIsThePictureItself() {
    let image = RGBImage(width: 16, height: 9)
    #expect(TerminalSubtitles().composed(image, ShownSubtitles(), at: .zero) == image)
    #expect(TerminalSubtitles().composed(RGBImage(width: 0, height: 0), shown("x"), at: .zero).bytes.isEmpty)
    let odd = CGSize(width: CGFloat.nan, height: -.infinity)
    #expect(TerminalSubtitles().composed(image, shown("x"), at: .invalid, stored: odd) == image)
  }
}
