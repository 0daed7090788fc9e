import CoreMedia
import MediaEngine
import SubtitleRendering
import Testing

/// Text of SubRip and its kind, in the viewer's style.
@Suite struct TextTests {
  @Test func textStandsAtTheLowerEdgeInTheMiddle() throws {
    let drawing = draw([cue("Hello, world.")])
    drawing.show("text-plain")
    let white = try #require(drawing.white)
    #expect(abs(white.x + white.width / 2 - 320) <= 2)
    // The line is some 19 pixels high and ends 3.5 % above the edge.
    #expect(white.bottom <= 360 - 12)
    #expect(white.y >= 360 - 13 - 20)
  }

  @Test func lettersHaveABlackOutline() throws {
    let drawing = draw([cue("IIII")], wide, scaled(2))
    drawing.show("text-outline")
    let white = try #require(drawing.white)
    let black = try #require(drawing.bounds(where: \.isBlack))
    #expect(black.x < white.x)
    #expect(black.right > white.right)
    #expect(black.y < white.y)
    #expect(black.bottom > white.bottom)
  }

  @Test(arguments: [(320, 180), (640, 360), (1920, 1080), (1080, 1920)])
  func sizeFollowsThePicture(width: Int, height: Int) throws {
    let drawing = draw([cue("Hxg")], SubtitleGeometry(width: width, height: height))
    drawing.show("size-\(width)x\(height)")
    let white = try #require(drawing.white)
    // From the top of H to the foot of g a font takes some four fifths of its line.
    let line = max(0.0528 * min(Double(height), Double(width) * 0.75), 12)
    #expect(Double(white.height) > line * 0.6)
    #expect(Double(white.height) < line)
  }

  @Test func sizeIsTheViewersChoice() throws {
    let usual = try #require(draw([cue("Hxg")]).white)
    let twice = try #require(draw([cue("Hxg")], wide, scaled(2)).white)
    #expect(abs(twice.height - 2 * usual.height) <= 2)
    #expect(abs(twice.width - 2 * usual.width) <= 3)
  }

  @Test func boldIsWiderAndItalicLeans() throws {
    let plain = try #require(draw([cue("lllllll")]).white)
    let bold = draw([cue(text("lllllll") { $0.isBold = true })])
    #expect(try #require(bold.white).width > plain.width + 3)
    let italic = draw([cue(text("l") { $0.isItalic = true })], wide, scaled(4))
    let white = try #require(italic.white)
    let upper = try #require(
      italic.bounds(in: PixelRect(x: 0, y: white.y, width: 640, height: white.height / 4), where: \.isWhite))
    let lower = try #require(
      italic.bounds(
        in: PixelRect(x: 0, y: white.bottom - white.height / 4, width: 640, height: white.height / 4), where: \.isWhite)
    )
    #expect(upper.x > lower.x + 4)
  }

  @Test func linesUnderAndThroughText() throws {
    let plain = draw([cue("a a a a a")], wide, scaled(2))
    let under = draw([cue(text("a a a a a") { $0.isUnderlined = true })], wide, scaled(2))
    let through = draw([cue(text("a a a a a") { $0.isStruckThrough = true })], wide, scaled(2))
    under.show("text-underlined")
    let letters = try #require(plain.white)
    #expect(try #require(under.white).bottom > letters.bottom)
    // Between the letters there is white only in the line.
    #expect(try #require(through.white).bottom == letters.bottom)
    #expect(through.count(where: \.isWhite) > plain.count(where: \.isWhite) + 40)
  }

  @Test func colorsAndTransparency() {
    var both = StyledText()
    var style = TextStyle()
    style.color = SubtitleColor(red: 255, green: 0, blue: 0)
    both.append("RED ", style)
    style.color = SubtitleColor(red: 0, green: 255, blue: 0, alpha: 128)
    both.append("GREEN", style)
    var appearance = scaled(3)
    (appearance.outline, appearance.shadow) = (0, 0)
    let drawing = draw([cue(both)], wide, appearance)
    drawing.show("text-colors")
    #expect(drawing.count { $0.isNear(255, 0, 0, 8) } > 100)
    // Half of green over the ground.
    #expect(drawing.count { $0.isNear(0, 128, 80, 8) } > 100)
  }

  @Test func backgroundIsBehindItsPieceAlone() throws {
    var both = StyledText()
    both.append("without ")
    var style = TextStyle()
    style.background = SubtitleColor(red: 200, green: 0, blue: 0)
    both.append("with", style)
    let drawing = draw([cue(both)], wide, scaled(2))
    drawing.show("text-background")
    let white = try #require(drawing.white)
    let red = try #require(drawing.bounds { $0.isNear(200, 0, 0, 10) })
    #expect(red.x > white.x + white.width / 2)
    #expect(red.right > white.right)
    #expect(red.y < white.y)
  }

  @Test func aBoxBehindAllLinesIsEvenWhereLinesMeet() {
    var appearance = scaled(2)
    appearance.background = SubtitleColor(red: 0, green: 0, blue: 0, alpha: 128)
    (appearance.outline, appearance.shadow) = (0, 0)
    let drawing = draw([cue("Two lines\nof one cue")], wide, appearance)
    drawing.show("text-box")
    // The ground's 160, half covered; twice covered it would be 40.
    #expect(drawing.count { $0.isNear(0, 0, 80, 4) } > 3_000)
    #expect(drawing.count { $0.isNear(0, 0, 40, 10) } == 0)
  }

  @Test func lineBreaksAndLongLines() {
    #expect(draw([cue("HHH\nHHH")]).lines.count == 2)
    let long = draw([cue(String(repeating: "some words ", count: 12))])
    long.show("text-wrapped")
    #expect(long.lines.count >= 2)
    let word = draw([cue(String(repeating: "H", count: 80))])
    #expect(word.lines.count == 2)
    word.show("text-long-word")
    #expect((word.white?.width ?? 0) <= 640 - 2 * 22)
    #expect((word.white?.x ?? 0) >= 20)
  }

  @Test func textWithoutSpacesIsBroken() throws {
    let source = String(repeating: "字幕は、映画の言葉を見せる。", count: 6)
    let drawing = draw([cue(source)])
    drawing.show("text-japanese")
    #expect(drawing.lines.count >= 2)
    let white = try #require(drawing.white)
    #expect(white.x >= 20 && white.right <= 620)
  }

  @Test(arguments: [
    #"{\an8}H"#, #"a\Nb"#, #"a\nb"#, #"a\hb"#, "{b", "b}", #"\{x}"#, #"{\b1}\\N"#, #"\"#, #"{\pos(0,0)}x{\fs99}"#,
    #"{\p1}m 0 0 l 100 0 100 100{\p0}"#,
  ])
  func codesInPlainTextAreText(_ source: String) throws {
    // Were a code taken, the letters would be fewer, or elsewhere.
    let drawing = draw([cue("(\(source))")], wide, scaled(2))
    let white = try #require(drawing.white)
    #expect(white.y > 280)
    #expect(drawing.lines.count == 1)
    let apart = source.reduce(0) { sum, letter in sum + inkWidth(String(letter)) }
    #expect(white.width >= apart)
  }

  /// Of one letter at twice the size, without the room beside it.
  private func inkWidth(_ letter: String) -> Int { (draw([cue(letter)], wide, scaled(2)).white?.width ?? 0) }

  @Test func controlCharactersAreLeftOut() throws {
    let plain = try #require(draw([cue("ab")]).white)
    let odd = try #require(draw([cue("a\u{0}\u{1}\u{7F}\r\u{9C}b")]).white)
    #expect(odd == plain)
  }

  @Test func textOfOtherScriptsIsDrawn() {
    for source in ["שלום עולם", "مرحبا بالعالم", "你好，世界", "नमस्ते", "👍🏽 ok", "e\u{301}\u{302}\u{303}"] {
      #expect(!draw([cue(source)]).overlay.isEmpty)
    }
    draw([cue("שלום, world: مرحبا")], wide, scaled(2)).show("text-bidi")
  }

  @Test func speakersHaveColorsWhereTheViewerWantsThem() {
    var both = StyledText()
    for voice in ["Anna", "Ben"] {
      var style = TextStyle()
      style.voice = voice
      both.append("\(voice) speaks ", style)
    }
    var appearance = scaled(2)
    #expect(draw([cue(both)], wide, appearance).count { $0.isNear(255, 255, 0, 8) } == 0)
    appearance.colorsVoices = true
    let drawing = draw([cue(both)], wide, appearance)
    drawing.show("text-voices")
    #expect(drawing.count { $0.isNear(255, 255, 0, 8) } > 50)
    #expect(drawing.count { $0.isNear(255, 255, 255, 8) } > 50)
  }

  @Test func whatIsStillToBeSaidIsDimmer() {
    var both = StyledText()
    both.append("said ")
    var style = TextStyle()
    style.time = seconds(5)
    both.append("later", style)
    let renderer = SubtitleRenderer(appearance: scaled(2))
    let before = Drawing(renderer.overlay(of: shown([cue(both)]), at: seconds(4.9), wide))
    let after = Drawing(renderer.overlay(of: shown([cue(both)]), at: seconds(5), wide))
    before.show("text-future")
    #expect(before.count(where: \.isWhite) < after.count(where: \.isWhite) * 2 / 3)
    #expect(after.count(where: \.isWhite) > 100)
  }
}

func scaled(_ scale: Double) -> SubtitleAppearance {
  var appearance = testAppearance
  appearance.scale = scale
  return appearance
}

extension StyledText {
  mutating func append(_ text: String) { append(text, TextStyle()) }
}

func draw(_ cues: [SubtitleCue], _ geometry: SubtitleGeometry, _ appearance: SubtitleAppearance = testAppearance)
  -> Drawing
{
  draw(cues, at: 1, geometry, appearance)
}
