import CoreMedia
import Foundation
import MediaEngine
import Testing

@Suite struct WebVTTTests {
  private func cues(_ text: String) throws -> [WebVTTDocument.Cue] { try #require(WebVTTDocument(text)).cues }

  @Test(arguments: ["WEBVTT", "\u{FEFF}WEBVTT", "WEBVTT\n", "WEBVTT - title\n", "WEBVTT\ttitle", "WEBVTT\r\n"])
  func signatures(_ text: String) { #expect(WebVTTDocument(text) != nil) }

  @Test(arguments: ["", "WEBVT", "WEBVTTx", "webvtt\n", "\nWEBVTT", " WEBVTT", "1\n00:00.000 --> 00:01.000\nx"])
  func otherThings(_ text: String) { #expect(WebVTTDocument(text) == nil) }

  @Test func cuesHaveNamesTimesAndText() throws {
    let found = try cues(
      "WEBVTT\r\n\r\nfirst\r\n00:01.500 --> 100:00:02.000\r\none\r\ntwo\r\n\r\n\r\n00:03.000-->00:04.000\r\nthree")
    #expect(found.map(\.identifier) == ["first", ""])
    #expect(found.map(\.start.seconds) == [1.5, 3])
    #expect(found.map(\.end.seconds) == [360_002, 4])
    #expect(found.map(\.text) == ["one\ntwo", "three"])
  }

  @Test(arguments: [
    "00:60.000 --> 00:61.000", "0:01.000 --> 00:02.000", "00:01,000 --> 00:02,000", "00:01.00 --> 00:02.000",
    "00:01.000 -> 00:02.000", "-00:01.000 --> 00:02.000", "00:00:60.000 --> 00:01:00.000",
    "1:60:00.000 --> 2:00:00.000",
  ])
  func timesOfAnotherFormMakeNoCue(_ line: String) throws {
    #expect(try cues("WEBVTT\n\n\(line)\nx\n\n00:05.000 --> 00:06.000\ny").map(\.text) == ["y"])
  }

  @Test func anArrowEndsWhatCameBeforeIt() throws {
    // Without an empty line between them, and right below the signature.
    let found = try cues("WEBVTT\n00:01.000 --> 00:02.000\na\n00:03.000 --> 00:04.000\nb")
    #expect(found.map(\.text) == ["a", "b"])
    #expect(try cues("WEBVTT\n\nNOTE 00:01.000 --> 00:02.000\nx").isEmpty)
  }

  @Test func settings() throws {
    func place(_ settings: String) throws -> CuePlacement {
      try #require(cues("WEBVTT\n\n00:00.000 --> 00:01.000 \(settings)\nx").first).placement
    }
    let place1 = try place("vertical:rl line:-3,end position:12.5%,line-right size:33% align:right")
    #expect(place1.direction == .verticalGrowingLeft)
    #expect(place1.line == .number(-3))
    #expect(place1.lineAlignment == .end)
    #expect(place1.position == 12.5)
    #expect(place1.positionAlignment == .lineRight)
    #expect(place1.size == 33)
    #expect(place1.textAlignment == .right)
    #expect(try place("line:0%").line == .percent(0))
    #expect(try place("align:middle").textAlignment == .center)
    for faulty in [
      "line:1.", "line:--1", "line:101%", "line:5,top", "position:5", "position:-1%", "size:100.1%", "align:top",
      "vertical:tb", "size :5%", "size: 5%", "line:1e3", "line:%",
    ] {
      #expect(try place(faulty) == CuePlacement(), "\(faulty)")
    }
  }

  @Test func regionsStandInBlocksOfTheirOwn() throws {
    let text = """
      WEBVTT

      REGION
      id:fred width:40% lines:2
      regionanchor:10%,90% viewportanchor:20%,80% scroll:up

      00:01.000 --> 00:02.000 region:fred
      a

      00:01.000 --> 00:02.000 region:fred size:50%
      b

      REGION
      id:late

      00:01.000 --> 00:02.000 region:other
      c
      """
    let found = try cues(text)
    let region = try #require(found.first?.placement.region)
    #expect(region.identifier == "fred" && region.width == 40 && region.lines == 2 && region.scrollsUp)
    #expect((region.anchorX, region.anchorY) == (10, 90))
    #expect((region.viewportAnchorX, region.viewportAnchorY) == (20, 80))
    // A size of its own takes the cue out of the region.
    #expect(found.dropFirst().map(\.placement.region) == [nil, nil])
    #expect(WebVTTDocument(text)?.regions.map(\.identifier) == ["fred", "late"])
  }

  @Test func nodes() {
    #expect(
      WebVTTCueText.parse("a<b.x.y>b<i>c</b></i>&amp;&#x41;&lt;&nbsp;&bad;</b>")
        == [
          .text("a"),
          .element(
            WebVTTElement(
              kind: .bold, classes: ["x", "y"], annotation: "",
              children: [
                .text("b"),
                .element(WebVTTElement(kind: .italic, classes: [], annotation: "", children: [.text("c")])),
                .text("&A<\u{A0}&bad;"),
              ])),
        ])
    #expect(
      WebVTTCueText.parse("<v  Ann &amp;\n Bo >x<00:01.000>y")
        == [
          .element(
            WebVTTElement(
              kind: .voice, classes: [], annotation: "Ann & Bo",
              children: [.text("x"), .timestamp(CMTime(value: 1_000, timescale: 1_000)), .text("y")]))
        ])
    #expect(WebVTTCueText.parse("<rt>a</rt><blink>b</blink><") == [.text("a"), .text("b")])
  }

  @Test func stylesOfTagsClassesAndSheets() throws {
    let text = """
      WEBVTT

      STYLE
      ::cue { color: papayawhip; /* all */ font-size: 120% }
      ::cue(b) { color: #ff0000 }
      ::cue(.quiet), ::cue(v[voice="Bob"]) { font-style: italic; background-color: rgba(0, 0, 0, 0.5) }
      ::cue(#two) { font-weight: bold }
      ::cue(i .quiet) { text-decoration: underline }

      two
      00:01.000 --> 00:02.000
      p<b>r</b><c.quiet>q</c><v Bob>v</v><c.lime.bg_blue>l</c><i><c.quiet>u</c></i>
      """
    let file = try SubtitleFile(Array(text.utf8))
    let runs = try #require(file.cues.first?.text).runs
    #expect(runs.map(\.text) == ["p", "r", "q", "v", "l", "u"])
    guard runs.count == 6 else { return }
    #expect(runs.allSatisfy { $0.style.scale == 1.2 && $0.style.isBold })
    #expect(runs[0].style.color == SubtitleColor(red: 0xFF, green: 0xEF, blue: 0xD5))
    #expect(runs[1].style.color == SubtitleColor(red: 255, green: 0, blue: 0))
    #expect(runs[2].style.isItalic && runs[2].style.background == SubtitleColor(red: 0, green: 0, blue: 0, alpha: 128))
    #expect(runs[3].style.isItalic && runs[3].style.voice == "Bob")
    #expect(runs[4].style.color == SubtitleColor(red: 0, green: 255, blue: 0))
    #expect(runs[4].style.background == SubtitleColor(red: 0, green: 0, blue: 255))
    #expect(runs[5].style.isUnderlined && !runs[2].style.isUnderlined)
  }

  @Test func hostileTextStaysBounded() throws {
    let deep = "WEBVTT\n\n00:00.000 --> 00:01.000\n" + String(repeating: "<b>", count: 20_000) + "x"
    #expect(try SubtitleFile(Array(deep.utf8)).cues.first?.text?.string == "x")
    let settings = String(repeating: "a:b ", count: 100_000)
    let long = "WEBVTT\n\n99999999999999999999:00:00.000 --> 00:01.000 \(settings)\nx"
    _ = try SubtitleFile(Array(long.utf8))
    let many = "WEBVTT\n\n" + String(repeating: "00:00.000 --> 00:01.000\n\n", count: 200_010)
    #expect(try cues(many).count == 200_000)
  }
}
