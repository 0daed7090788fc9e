import MediaEngine
import SubtitleRendering
import Testing

/// Where text goes.
@Suite struct PlacementTests {
  private func placement(_ settings: String, regions: [CueRegion] = []) -> CuePlacement {
    WebVTTSettings.placement(settings, regions: regions)
  }

  /// In units of SubStation's numbers: column 0…2 and row 0 (bottom) to 2.
  @Test func ninePlaces() throws {
    var all: [SubtitleCue] = []
    for numpad in 1...9 {
      let (row, column) = ((numpad - 1) / 3, (numpad - 1) % 3)
      var placement = CuePlacement()
      placement.textAlignment = [.left, .center, .right][column]
      if row == 1 { (placement.line, placement.lineAlignment) = (.percent(50), .center) }
      if row == 2 { placement.line = .number(0) }
      let own = cue("H\(numpad)H", placement)
      all.append(own)
      let white = try #require(draw([own]).white)
      let (x, y) = (white.x + white.width / 2, white.y + white.height / 2)
      switch column {
      case 0: #expect((20...26).contains(white.x))
      case 1: #expect(abs(x - 320) <= 2)
      default: #expect((614...620).contains(white.right))
      }
      switch row {
      case 0: #expect(white.bottom > 335 && white.bottom <= 348)
      case 1: #expect(abs(y - 180) <= 3)
      default: #expect(white.y >= 12 && white.y < 22)
      }
    }
    draw(all).show("places-nine")
  }

  @Test func linesByNumber() throws {
    let size = 360 * 0.0528
    for (settings, top) in [
      ("line:0", 13.0), ("line:3", 13 + 3 * size), ("line:-1", 347 - size), ("line:-4", 347 - 4 * size),
    ] {
      let white = try #require(draw([cue("HHH", placement(settings))]).white)
      #expect(abs(Double(white.y) - top - 4) <= 3, "\(settings)")
    }
    // Beyond the edge is at the edge.
    #expect(draw([cue("HHH", placement("line:99"))]).white == draw([cue("HHH", placement("line:-1"))]).white)
    #expect(draw([cue("HHH", placement("line:-99"))]).white == draw([cue("HHH", placement("line:0"))]).white)
  }

  @Test func linesByPercent() throws {
    let start = try #require(draw([cue("HHH", placement("line:25%"))]).white)
    let center = try #require(draw([cue("HHH", placement("line:25%,center"))]).white)
    let end = try #require(draw([cue("HHH", placement("line:25%,end"))]).white)
    #expect(start.y >= 90 && start.bottom <= 110)
    #expect(abs(center.y + center.height / 2 - 90) <= 2)
    #expect(end.bottom <= 90 && end.y >= 70)
    let below = try #require(draw([cue("HHH", placement("line:100%"))]).white)
    #expect(below.bottom <= 360)
  }

  @Test func positionSizeAndAlignment() throws {
    let left = try #require(draw([cue("HHH", placement("position:25% align:left"))]).white)
    #expect(abs(left.x - 160) <= 3)
    let right = try #require(draw([cue("HHH", placement("position:75% align:right"))]).white)
    #expect(abs(right.right - 480) <= 3)
    let middle = try #require(draw([cue("HHH", placement("position:25%"))]).white)
    #expect(abs(middle.x + middle.width / 2 - 160) <= 2)
    let narrow = draw([cue("one two three four five six seven eight", placement("size:20%"))])
    narrow.show("places-narrow")
    #expect(narrow.lines.count >= 3)
    #expect(try #require(narrow.white).width <= 128)
    let lineLeft = try #require(draw([cue("HHH", placement("position:50%,line-left align:center size:30%"))]).white)
    #expect(abs(lineLeft.x + lineLeft.width / 2 - 416) <= 3)
    // No room at all is still some.
    #expect(try #require(draw([cue("HHH", placement("position:0%"))]).white).x >= 20)
  }

  @Test func startIsWhereTheTextBegins() throws {
    let latin = try #require(draw([cue("abc", placement("align:start"))]).white)
    let hebrew = try #require(draw([cue("שלום", placement("align:start"))]).white)
    #expect(latin.right < 160)
    #expect(hebrew.x > 480)
  }

  @Test func cuesThatOverlapInTimeStack() throws {
    let first = cue("first HHH")
    let second = cue("second HHH\nof two lines", from: 0.5)
    let drawing = draw([first, second])
    drawing.show("stack")
    #expect(drawing.lines.count == 3)
    let alone = try #require(draw([first]).white)
    let lower = try #require(drawing.lines.last)
    // The one that was there first stays.
    #expect(lower.lowerBound == alone.y)
    let third = draw([
      first, second, cue("third"), cue("at the top", placement("line:0")), cue("also", placement("line:0")),
    ])
    third.show("stack-five")
    #expect(third.lines.count >= 6)
  }

  @Test func whatIsShownKeepsItsPlace() throws {
    let (first, second) = (cue("first HHH"), cue("second HHH", from: 0.5))
    let renderer = SubtitleRenderer(appearance: testAppearance)
    _ = renderer.overlay(of: shown([first]), at: seconds(0), wide)
    let both = Drawing(renderer.overlay(of: shown([first, second]), at: seconds(1), wide))
    let upper = try #require(both.lines.first)
    let alone = Drawing(renderer.overlay(of: shown([second]), at: seconds(2), wide))
    #expect(alone.lines.first == upper)
    let third = Drawing(renderer.overlay(of: shown([second, cue("third HHH", from: 2)]), at: seconds(3), wide))
    #expect(third.lines.count == 2)
    #expect(third.lines.first == upper)
  }

  @Test func moreThanFitsStaysInThePicture() throws {
    let many = (0..<40).map { cue("line \($0)", from: Double($0) / 100) }
    let drawing = draw(many)
    drawing.show("stack-full")
    let white = try #require(drawing.white)
    #expect(white.y >= 0 && white.bottom <= 360)
    #expect(drawing.lines.count >= 15)
  }

  @Test func aSecondLanguageIsAtTheTop() throws {
    let both = ShownSubtitles([
      SubtitleLayer(cues: [cue("The first language")]),
      SubtitleLayer(cues: [cue("Die zweite Sprache"), cue("und noch eine Zeile", from: 0.5)], place: .top),
    ])
    let drawing = draw(both)
    drawing.show("second-language")
    let lines = drawing.lines
    let middle = lines.filter { $0.lowerBound > 60 && $0.upperBound < 300 }
    #expect(middle.isEmpty)
    #expect(try #require(lines.first).lowerBound < 25)
    #expect(try #require(lines.last).lowerBound > 320)
    // What names its place has it there too.
    let placed = ShownSubtitles([SubtitleLayer(cues: [cue("HHH", placement("line:50%"))], place: .top)])
    #expect(abs(try #require(draw(placed).white).y - 184) <= 3)
  }

  @Test func marginsAreTheViewersChoice() throws {
    var appearance = testAppearance
    appearance.verticalMargin = 0.2
    appearance.horizontalMargin = 0.2
    let white = try #require(draw([cue("HHH", placement("align:left"))], wide, appearance).white)
    #expect(abs(white.x - 128) <= 3)
    #expect(white.bottom <= 288 && white.bottom > 276)
  }

  @Test func verticalLinesGoFromTopToBottom() throws {
    let text = "the first column\nsecond"
    let left = draw([cue(text, placement("vertical:rl"))], wide, scaled(2))
    left.show("vertical-rl")
    let white = try #require(left.white)
    #expect(white.height > white.width * 2)
    // “Auto” is the last line: at the left edge for lines that grow to the left.
    #expect(white.right < 160)
    let first = draw([cue(text, placement("vertical:rl line:0"))], wide, scaled(2))
    #expect(try #require(first.white).x > 480)
    // The first line, which is the longer one, is on the right.
    let upper = try #require(left.bounds(in: PixelRect(x: 0, y: white.y, width: 640, height: 20), where: \.isWhite))
    #expect(upper.x > white.x + white.width / 2)
    let right = draw([cue(text, placement("vertical:lr line:0"))], wide, scaled(2))
    right.show("vertical-lr")
    let other = try #require(right.white)
    #expect(other.right < 160)
    let longer = try #require(right.bounds(in: PixelRect(x: 0, y: other.y, width: 640, height: 20), where: \.isWhite))
    #expect(longer.right < other.x + other.width / 2)
  }

  @Test func verticalCuesStackSideways() throws {
    let rl = placement("vertical:rl line:0")
    let one = try #require(draw([cue("HHHH", rl)], wide, scaled(2)).white)
    let drawing = draw([cue("HHHH", rl), cue("HHHH", from: 0.5, rl)], wide, scaled(2))
    drawing.show("vertical-stack")
    let both = try #require(drawing.white)
    #expect(both.height == one.height)
    #expect(both.right == one.right)
    #expect(both.width > one.width * 2)
  }

  @Test func regionsHoldTheirCues() throws {
    var region = CueRegion()
    (region.identifier, region.width, region.lines, region.scrollsUp) = ("r", 40, 3, true)
    (region.viewportAnchorX, region.viewportAnchorY) = (50, 50)
    let inside = placement("region:r", regions: [region])
    let drawing = draw([cue("one HHH", inside), cue("two HHH", from: 0.5, inside)])
    drawing.show("region")
    let white = try #require(drawing.white)
    #expect(white.bottom <= 180 && white.bottom > 165)
    #expect(abs(white.x + white.width / 2 - 448) <= 4)
    // The last is the lowest, and what does not fit is cut above.
    let full = draw((1...5).map { cue("row \($0)", from: Double($0) / 10, inside) })
    full.show("region-full")
    #expect(full.lines.count == 3)
    #expect(try #require(full.white).y >= 180 - 3 * 20 - 3)
    #expect(draw([cue("one HHH", inside)]).lines == draw([cue("one HHH", inside)]).lines)
  }
}
