import CoreMedia
import MediaEngine
import MediaRuntime
import Testing

@Suite struct SubRipTests {
  private func cues(_ text: String) throws -> [SubtitleCue] { try SubtitleFile(Array(text.utf8)).cues }
  private func strings(_ text: String) throws -> [String?] { try cues(text).map { $0.text?.string } }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func lineEnds(_ end: String) throws {
    let lines = ["1", "00:00:01,000 --> 00:00:02,500", "a", "b", "", "2", "00:00:03,000 --> 00:00:04,000", "c", ""]
    let found = try cues(lines.joined(separator: end))
    #expect(found.map { $0.text?.string } == ["a\nb", "c"])
    #expect(found.map(\.start.seconds) == [1, 3])
    #expect(found.map(\.end.seconds) == [2.5, 4])
    #expect(found.map(\.identifier) == ["1", "2"])
  }

  @Test(arguments: [
    ("00:00:01,5 --> 00:00:02", 1.5, 2.0), ("00:01.250 --> 00:02.000", 1.25, 2),
    ("1:00:00.04-->1:00:01,123456", 3_600.04, 3_601.123), (" 00:00:01,000 -> 00:00:02,000 X1:40 Y1:20", 0, 0),
    ("00 : 00 : 01 , 000 --> 00:00:02,000", 1, 2), ("-00:00:01,000 --> 00:00:02,000", 0, 2),
    ("00:00:03,000 --> 00:00:02,000", 3, 3),
  ])
  func times(_ line: String, start: Double, end: Double) throws {
    guard end > 0 else {
      // A line with half an arrow is text.
      #expect(throws: MediaError.self) { try cues("1\n\(line)\nx") }
      return
    }
    let cue = try #require(cues("1\n\(line)\nx").first)
    #expect((cue.start.seconds, cue.end.seconds) == (start, end))
  }

  @Test func countersMayBeMissing() throws {
    #expect(
      try strings(
        "00:00:01,000 --> 00:00:02,000\na\n\n00:00:03,000 --> 00:00:04,000\nb\n00:00:05,000 --> 00:00:06,000\nc"
      ) == ["a", "b", "c"])
  }

  @Test func emptyLinesWithinTextStay() throws {
    #expect(
      try strings("1\n00:00:01,000 --> 00:00:02,000\na\n\nb\n\n2\n00:00:03,000 --> 00:00:04,000\n1984\n\n3\n")
        == ["a\n\nb", "1984"])
  }

  @Test func blocksWithoutTimesAndTimesWithoutTextAreNoCues() throws {
    #expect(
      try strings(
        "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\nlost\n\n3\n00:00:03,000 --> 00:00:04,000\n\n\n4\n00:00:05,000 --> 00:00:06,000\nb"
      ) == ["a", "b"])
  }

  @Test func tags() throws {
    let cue = try #require(
      cues(
        "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}p<b>b<i>bi</b>i</i> <font color=\"#ff0000\" face='Arial'>r</font> 1 < 2 <3 <none> &amp; {\\i1}j{\\i0} {x}"
      ).first)
    let runs = try #require(cue.text).runs
    #expect(cue.text?.string == "pbbii r 1 < 2 <3 <none> & j {x}")
    #expect(runs.map(\.style.isBold) == [false, true, true, false, false, false, false, false, false])
    #expect(runs.map(\.style.isItalic) == [false, false, true, true, false, false, false, true, false])
    let red = runs.first { $0.text == "r" }?.style
    #expect(red?.color == SubtitleColor(red: 255, green: 0, blue: 0) && red?.fontFamily == "Arial")
    #expect(cue.placement.line == .number(0))
  }

  @Test func otherFilesAreRefused() {
    for text in ["", "1", "some text", "1\nsome text\n"] {
      #expect { try cues(text) } throws: { ($0 as? MediaError)?.code == .subtitlesUnknown }
    }
  }

  @Test func cuesAreSortedAndOverlap() throws {
    let file = try SubtitleFile(
      Array("1\n00:00:05,000 --> 00:00:09,000\nb\n\n2\n00:00:01,000 --> 00:00:06,000\na\n".utf8))
    let timeline = CueTimeline(file.cues)
    func shown(_ seconds: Double) -> [String?] {
      timeline.shown(at: CMTime(seconds: seconds, preferredTimescale: 1_000)).map { $0.text?.string }
    }
    #expect(shown(5.5) == ["a", "b"])
    #expect(shown(6) == ["b"])
    #expect(shown(0.999) == [])
    #expect(shown(9) == [])
  }
}
