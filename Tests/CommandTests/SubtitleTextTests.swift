import CoreMedia
import Foundation
import MediaEngine
import MediaTestSupport
import Testing
import VideoOutput

@testable import sprocket

/// Subtitles as a terminal's text, and the options that choose them.
@Suite struct SubtitleTextTests {
  private func placement(_ columns: Int, _ rows: Int) -> PicturePlacement {
    PicturePlacement(
      aspect: Double(columns) / Double(rows * 2), in: TerminalGeometry(columns: columns, rows: rows), reservedRows: 0,
      style: .blocks)
  }

  private func cue(_ text: String, _ change: (inout CuePlacement) -> Void = { _ in }) -> SubtitleCue {
    var cue = SubtitleCue(start: .zero, end: CMTime(value: 9, timescale: 1), content: .text(StyledText(text)))
    change(&cue.placement)
    return cue
  }

  private func rows(_ cues: [SubtitleCue], second: [SubtitleCue] = [], _ placement: PicturePlacement) -> [String] {
    let shown = ShownSubtitles([SubtitleLayer(cues: cues), SubtitleLayer(cues: second, place: .top)])
    return SubtitleRows.texts(of: shown, in: placement).map { "\($0.row),\($0.column):\($0.text)" }
  }

  @Test func linesStandAtTheLowerEdge_inTheMiddle_oldestAbove() {
    #expect(rows([cue("one"), cue("two\nlines")], placement(40, 12)) == ["8,17: one ", "9,17: two ", "10,16: lines "])
  }

  @Test func theSecondLanguageAndWhatIsPlacedThereStandAbove() {
    let upper = cue("sign") { $0.line = .number(0) }
    #expect(
      rows([upper, cue("below")], second: [cue("oben")], placement(40, 12)) == [
        "1,17: sign ", "2,17: oben ", "10,16: below ",
      ])
  }

  @Test func longLinesAreBrokenBetweenWords_longWordsAnywhere() {
    #expect(SubtitleRows.broken("the quick brown fox", width: 10) == ["the quick", "brown fox"])
    #expect(SubtitleRows.broken("字幕字幕字幕", width: 8) == ["字幕字幕", "字幕"])
    #expect(SubtitleRows.broken("  ", width: 8) == [])
    let all = rows([cue(Array(repeating: "words", count: 100).joined(separator: " "))], placement(20, 12))
    #expect(all.count == 5 && all.last?.hasPrefix("10,") == true)
  }

  @Test func whatSteersTheTerminalIsNotSent_andSmallPicturesHaveNone() {
    #expect(rows([cue("a\u{1b}[2Jb")], placement(40, 12)) == ["10,16: a [2Jb "])
    #expect(rows([cue("a")], placement(6, 12)).isEmpty)
    #expect(rows([cue("a")], placement(40, 3)).isEmpty)
  }

  private func options(_ arguments: [String]) throws -> SubtitleOptions {
    try PlayOptions(ArgumentParser(options: PlayOptions.specs).parse(arguments)).subtitles
  }

  @Test func optionsChoose() throws {
    #expect(try options(["a.mkv"]) == SubtitleOptions())
    let all = try options(["--sub", "a.srt", "--subtitles=2", "--second-subtitles", "de", "--sub-delay=-0.5", "a.mkv"])
    #expect(all.file == "a.srt" && all.choice == .number(2) && all.second == .language("de") && all.delay == -0.5)
    #expect(try options(["--subtitles", "off"]).choice == .off)
    for wrong in [["--subtitles=0"], ["--sub-delay=later"], ["--sub-delay=nan"], ["--second-subtitles="]] {
      #expect(throws: UsageError.self) { try options(wrong) }
    }
  }

  private func play(_ arguments: [String]) throws -> ProcessRunner.Result {
    let runner = try ProcessRunner("sprocket")
    let film = try Fixture.url("one-second.mp4").path
    return try #require(try runner.run(1, arguments: ["play", "--output", "null"] + arguments + [film]).first)
  }

  @Test func whatCannotBeShownIsSaid_andTheFilmPlays() throws {
    let missing = try play(["--sub", "/nonexistent/film.srt"])
    #expect(missing.exitCode == 1 && missing.errors.contains("film.srt"))
    let language = try play(["--subtitles", "fr"])
    #expect(language.errors.contains("no subtitles") && language.output.contains("ended"))
  }
}
