import CoreMedia
import Foundation
import MediaEngine
import SubtitleRendering
import Testing

/// SubStation Alpha as authored.
@Suite struct ScriptTests {
  static let header = """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 640
    PlayResY: 360

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
    StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
    Style: Default,DejaVu Sans,40,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,20,20,20,1
    Style: Sign,DejaVu Sans,60,&H0000FF00,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,1

    """

  static func event(
    _ text: String, style: String = "Default", from start: Double = 0, to end: Double = 10, order: Int = 0,
    effect: String = ""
  ) -> SubtitleCue {
    let event = SubStationEvent(readOrder: order, layer: 0, style: style, name: "", effect: effect, text: text)
    return SubStationScript(header: header).cue(event, start: seconds(start), end: seconds(end))
  }

  static func layer(_ cues: [SubtitleCue], _ header: String = header, delay: Double = 0) -> ShownSubtitles {
    ShownSubtitles([SubtitleLayer(cues: cues, scriptHeader: header, delay: seconds(delay))])
  }

  @Test func stylesAndPlacesAreTheAuthors() throws {
    let drawing = draw(
      Self.layer([Self.event("Default"), Self.event(#"{\pos(100,50)}SIGN"#, style: "Sign", order: 1)]))
    drawing.show("script-styles")
    let green = try #require(drawing.bounds { $0.isNear(0, 255, 0, 8) })
    #expect((100...112).contains(green.x))
    #expect((55...75).contains(green.y))
    #expect((35...50).contains(green.height))
    let white = try #require(drawing.white)
    #expect(white.bottom <= 342 && white.bottom > 325)
  }

  @Test func scriptsScaleWithThePicture() throws {
    let cues = [Self.event(#"{\pos(100,50)}SIGN"#, style: "Sign")]
    let small = try #require(draw(Self.layer(cues)).bounds { $0.isNear(0, 255, 0, 8) })
    let large = try #require(
      draw(Self.layer(cues), at: 1, SubtitleGeometry(width: 1920, height: 1080)).bounds { $0.isNear(0, 255, 0, 8) })
    #expect(abs(large.x - 3 * small.x) <= 3)
    #expect(abs(large.width - 3 * small.width) <= 4)
  }

  /// A DVD's picture, shown wide: what is drawn keeps its shape, letters are stretched with the picture, as where scripts
  /// come from they were drawn into it.
  @Test func storedPixelsOfAnotherShape() throws {
    let dvd = SubtitleGeometry(width: 1024, height: 576, storageWidth: 720, storageHeight: 576)
    let shape = draw(Self.layer([Self.event(#"{\bord0\an7\pos(0,0)\p1}m 0 0 l 100 0 100 100 0 100{\p0}"#)]), at: 1, dvd)
    #expect(shape.white == PixelRect(x: 0, y: 0, width: 160, height: 160))
    let letters = [Self.event("HHHHHHHH")]
    let stretched = try #require(draw(Self.layer(letters), at: 1, dvd).white)
    let plain = try #require(draw(Self.layer(letters), at: 1, SubtitleGeometry(width: 1024, height: 576)).white)
    #expect(stretched.height == plain.height)
    #expect(abs(Double(stretched.width) / Double(plain.width) - 1024.0 / 720) < 0.03)
  }

  @Test func fadesAreHalfWayAtHalfTime() throws {
    let renderer = SubtitleRenderer(appearance: testAppearance)
    let cues = [Self.event(#"{\bord0\fad(2000,0)\an5\p1}m 0 0 l 100 0 100 100 0 100{\p0}"#)]
    let half = Drawing(renderer.overlay(of: Self.layer(cues), at: seconds(1), wide))
    let whole = Drawing(renderer.overlay(of: Self.layer(cues), at: seconds(3), wide))
    half.show("script-fade")
    // White over the ground's blue of 160, half of it.
    #expect(half.pixel(320, 180).isNear(128, 128, 207, 2))
    #expect(whole.pixel(320, 180).isNear(255, 255, 255, 0))
  }

  @Test func movesFollowTheTimeAndTheDelay() throws {
    let cues = [Self.event(#"{\bord0\move(0,100,400,100,0,4000)\an7\p1}m 0 0 l 50 0 50 50 0 50{\p0}"#)]
    func left(at time: Double, delay: Double = 0) throws -> Int {
      try #require(draw(Self.layer(cues, delay: delay), at: time).white).x
    }
    #expect(try left(at: 0) == 0)
    #expect(try left(at: 1) == 100)
    #expect(try left(at: 2) == 200)
    #expect(try left(at: 3, delay: 1) == 200)
    #expect(try left(at: 8) == 400)
  }

  @Test func karaokeChangesColorsInTime() {
    let renderer = SubtitleRenderer(appearance: testAppearance)
    let cues = [Self.event(#"{\k100}HHHH{\k100}HHHH"#)]
    func counts(at time: Double) -> (said: Int, future: Int) {
      let drawing = Drawing(renderer.overlay(of: Self.layer(cues), at: seconds(time), wide))
      drawing.show("script-karaoke-\(time)")
      return (drawing.count(where: \.isWhite), drawing.count { $0.isNear(255, 0, 0, 8) })
    }
    let first = counts(at: 0.5)
    let second = counts(at: 1.5)
    #expect(first.said > 100 && first.future > 100)
    #expect(second.said > first.said * 3 / 2 && second.future == 0)
  }

  @Test func eventsThatOverlapStack() throws {
    let renderer = SubtitleRenderer(appearance: testAppearance)
    let (one, two) = (Self.event("HHH one", order: 0), Self.event("HHH two", from: 1, order: 1))
    let alone = Drawing(renderer.overlay(of: Self.layer([one]), at: seconds(0.5), wide))
    let both = Drawing(renderer.overlay(of: Self.layer([one, two]), at: seconds(1.5), wide))
    both.show("script-stack")
    #expect(both.lines.count == 2)
    #expect(both.lines.last == alone.lines.first)
    // The upper one stays there when the lower one has gone.
    let after = Drawing(renderer.overlay(of: Self.layer([two]), at: seconds(2), wide))
    #expect(after.lines.first == both.lines.first)
  }

  @Test func timesAreNoMillisecondShort() {
    let event = SubtitleCue(
      start: CMTime(value: 10_004, timescale: 10_000), end: CMTime(value: 10_008, timescale: 10_000),
      content: Self.event("HHH").content)
    let time = CMTime(value: 10_006, timescale: 10_000)
    #expect(!SubtitleRenderer(appearance: testAppearance).overlay(of: Self.layer([event]), at: time, wide).isEmpty)
  }

  @Test func openEventsAreShown() {
    var event = Self.event("HHH")
    event.end = .indefinite
    #expect(draw(Self.layer([event]), at: 100_000).white != nil)
  }

  @Test func fieldsOfTheHeaderMayBeInAnotherOrder() throws {
    let odd = Self.header + "\n[Events]\nFormat: Text, Start, End, Style, Layer\n"
    let plain = draw(Self.layer([Self.event("HHH", style: "Sign")]))
    #expect(draw(Self.layer([Self.event("HHH", style: "Sign")], odd)).overlay.pieces == plain.overlay.pieces)
    #expect(plain.bounds { $0.isNear(0, 255, 0, 8) } != nil)
  }

  @Test func scriptsAtTheTopAreText() throws {
    let cues = [
      Self.event(#"{\pos(320,180)\c&H0000FF&\fs80}A sign"#), Self.event(#"{\an5}A sign"#, order: 1),
      Self.event(#"{\p1}m 0 0 l 100 0 100 100{\p0}"#, order: 2),
    ]
    let drawing = draw(ShownSubtitles([SubtitleLayer(cues: cues, scriptHeader: Self.header, place: .top)]))
    drawing.show("script-top")
    #expect(drawing.lines.count == 1)
    #expect(try #require(drawing.white).height < 20)
    #expect(drawing.count { $0.isNear(255, 0, 0, 40) } == 0)
  }

  @Test func whatFFmpegConvertedIsTextInTheViewersStyle() throws {
    let header = """
      [Script Info]
      ; Script generated by FFmpeg/Lavc59.37.100
      ScriptType: v4.00+
      PlayResX: 384
      PlayResY: 288

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
      StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
      Style: Default,DejaVu Serif,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,0

      """
    let event = SubStationEvent(readOrder: 0, layer: 0, style: "Default", name: "", text: #"Hello {\i1}there"#)
    let cue = SubStationScript(header: header).cue(event, start: .zero, end: seconds(9))
    var plain = StyledText("Hello ")
    var style = TextStyle()
    style.isItalic = true
    plain.append("there", style)
    let own = draw(Self.layer([cue], header))
    #expect(own.overlay.pieces == draw([SubtitleRenderingTests.cue(plain)]).overlay.pieces)
  }

  @Test func fontsOfTheFilmAreUsed() throws {
    let path = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    // The same font under a name that no system has: seventeen bytes of its name table, in both encodings.
    let renamed = Self.renamed(data, "DejaVu Sans Mono", "Zejavu Fans Bono")
    let cues = [Self.event(#"{\fnZejavu Fans Bono}iiiiiiiiii"#)]
    let without = try #require(draw(Self.layer(cues)).white)
    let with = draw(Self.layer(cues), fonts: [AttachedFont(name: "a.ttf", data: renamed)])
    with.show("script-font")
    #expect(try #require(with.white).width > without.width * 3 / 2)
  }

  @Test func fontsInsideTheScriptAreUsed() throws {
    let path = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
    let font = Self.renamed(try Data(contentsOf: URL(fileURLWithPath: path)), "DejaVu Sans Mono", "Zejavu Fans Inns")
    let header = Self.header + "\n[Fonts]\nfontname: inns_0.ttf\n" + Self.encoded(font)
    let cues = [Self.event(#"{\fnZejavu Fans Inns}iiiiiiiiii"#)]
    let without = try #require(draw(Self.layer(cues)).white)
    #expect(try #require(draw(Self.layer(cues, header)).white).width > without.width * 3 / 2)
  }

  /// As scripts hold files: six bits a character, from `!` on, in lines of eighty.
  private static func encoded(_ data: Data) -> String {
    var text: [UInt8] = []
    var column = 0
    for start in stride(from: 0, to: data.count, by: 3) {
      let bytes = [UInt8](data[start..<min(start + 3, data.count)])
      let padded = bytes + [0, 0]
      let number = Int(padded[0]) << 16 | Int(padded[1]) << 8 | Int(padded[2])
      for index in 0...bytes.count {
        text.append(UInt8(number >> (18 - 6 * index) & 63) + 33)
        column += 1
        if column % 80 == 0 { text.append(10) }
      }
    }
    return String(decoding: text, as: UTF8.self) + "\n"
  }

  @Test func captionsKeepTheirBoxesAndTheSizeOfTheirGrid() throws {
    let made = """
      [Script Info]
      ; Script generated by FFmpeg/Lavc59.37.100
      ScriptType: v4.00+
      PlayResX: 384
      PlayResY: 288

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
      StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
      Style: Default,Monospace,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,3,1,0,2,10,10,10,0

      """
    let caption = Self.layer([Self.event(#"{\an7}{\pos(38,230)}HELLO"#)], made)
    let usual = draw(caption)
    usual.show("script-caption")
    let white = try #require(usual.white)
    let box = try #require(usual.bounds(where: \.isBlack))
    #expect(abs(box.x - 38 * 640 / 384) <= 4 && box.right > white.right && box.bottom > white.bottom)
    for layer in [caption, Self.layer([Self.event("HHH")])] {
      #expect(draw(layer, at: 1, wide, scaled(2)).overlay.pieces == draw(layer).overlay.pieces)
    }
  }

  private static func renamed(_ data: Data, _ name: String, _ other: String) -> Data {
    var result = data
    for (from, to) in [
      (Data(name.utf8), Data(other.utf8)),
      (
        Data(name.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }),
        Data(other.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
      ),
    ] {
      while let range = result.range(of: from) { result.replaceSubrange(range, with: to) }
    }
    return result
  }

  @Test func brokenFontsAndScriptsAreLeftOut() {
    let broken = [
      AttachedFont(name: "", data: Data()), AttachedFont(name: "x.ttf", data: Data(repeating: 7, count: 5_000)),
      AttachedFont(name: "a\u{0}b", data: Data([0, 1, 0, 0])),
    ]
    #expect(draw(Self.layer([Self.event("HHH")]), fonts: broken).white != nil)
    for header in [
      "", "[V4+ Styles]", "[Script Info]\nPlayResX: -1\nPlayResY: 99999999999", String(repeating: "[", count: 9_999),
    ] {
      _ = draw(Self.layer([Self.event(#"{\pos(1,1)}HHH"#)], header))
    }
    let wild = [
      #"{\fs1000000}H"#, #"{\pos(1e30,-1e30)}H"#, #"{\bord99999\blur9999}H"#, #"{\fscx1e9\fscy1e9}H"#,
      #"{\frx1e9\fry45}H"#,
      #"{\p1}m -999999999 -999999999 l 999999999 0 999999999 999999999"#, #"{\p99}m 0 0 b 1 2 3"#,
      #"{\t(0,1e18,\fs900)}H"#,
      #"{\clip(-99999999,-99999999,99999999,99999999)}H"#, #"{\k99999999999}H"#,
      "{" + String(repeating: #"\t("#, count: 500),
    ]
    for text in wild {
      for time in [0, 5, 9.9] { _ = draw(Self.layer([Self.event(text)]), at: time) }
    }
  }
}
