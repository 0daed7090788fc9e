import CoreMedia
import Foundation
import MediaEngine
import MediaTestSupport
import SubtitleRendering
import Testing

/// Whatever cues come, pieces lie in the picture and hold what they say, and nothing traps.
@Suite struct RandomCueTests {
  private func number(_ random: inout SeededNumbers, _ range: ClosedRange<Double>) -> Double {
    let wild: [Double] = [-.infinity, .nan, .infinity, -1e300, 1e300, 0, -0.0, 1e-300]
    return Int.random(in: 0..<8, using: &random) == 0
      ? wild[Int.random(in: 0..<wild.count, using: &random)] : Double.random(in: range, using: &random)
  }

  private func text(_ random: inout SeededNumbers) -> StyledText {
    let parts = [
      "word ", "\\N", "{\\an8}", "\n", "\u{0}", "字", "שלום", "\u{202E}", "👩‍👩‍👧", "{", "}", "\\", "a\u{301}", "\u{200B}",
      "H",
      String(repeating: "w", count: 60), "\u{FEFF}", "\t", "{\\p1}m 0 0 l 9 9", "\u{2028}", ",",
    ]
    var text = StyledText()
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      var style = TextStyle()
      style.isBold = Bool.random(using: &random)
      style.isUnderlined = Bool.random(using: &random)
      if Bool.random(using: &random) { style.scale = number(&random, 0.1...9) }
      if Bool.random(using: &random) { style.fontFamily = parts.randomElement(using: &random) }
      if Bool.random(using: &random) {
        style.background = SubtitleColor(red: 9, green: 9, blue: 9, alpha: UInt8.random(in: 0...255, using: &random))
      }
      if Bool.random(using: &random) { style.time = CMTime(seconds: number(&random, 0...9), preferredTimescale: 90) }
      if Bool.random(using: &random) { style.ruby = .annotation }
      text.append(parts.randomElement(using: &random) ?? "", style)
    }
    return text
  }

  private func placement(_ random: inout SeededNumbers) -> CuePlacement {
    var placement = CuePlacement()
    placement.direction =
      [.horizontal, .horizontal, .verticalGrowingLeft, .verticalGrowingRight]
      .randomElement(using: &random) ?? .horizontal
    switch Int.random(in: 0..<3, using: &random) {
    case 0: placement.line = .number(number(&random, -40...40))
    case 1: placement.line = .percent(number(&random, -50...150))
    default: break
    }
    placement.lineAlignment = [.start, .center, .end].randomElement(using: &random) ?? .start
    if Bool.random(using: &random) { placement.position = number(&random, -50...150) }
    placement.size = number(&random, -20...120)
    placement.textAlignment = [.start, .center, .end, .left, .right].randomElement(using: &random) ?? .center
    if Int.random(in: 0..<4, using: &random) == 0 {
      var region = CueRegion()
      region.width = number(&random, -10...120)
      region.lines = [Int.min, -1, 0, 1, 3, 1_000_000, Int.max].randomElement(using: &random) ?? 3
      region.viewportAnchorX = number(&random, -10...110)
      region.viewportAnchorY = number(&random, -10...110)
      region.anchorY = number(&random, -10...110)
      placement.region = region
    }
    return placement
  }

  @Test(arguments: 0..<8)
  func piecesLieInThePicture(seed: UInt64) {
    var random = SeededNumbers(seed)
    for _ in 0..<12 {
      var appearance = testAppearance
      appearance.scale = number(&random, 0.1...6)
      appearance.outline = number(&random, 0...1)
      appearance.shadow = number(&random, 0...1)
      appearance.horizontalMargin = number(&random, -1...1)
      appearance.verticalMargin = number(&random, -1...1)
      let renderer = SubtitleRenderer(appearance: appearance)
      let geometry = SubtitleGeometry(
        width: Int.random(in: 1...400, using: &random), height: Int.random(in: 1...300, using: &random),
        storageWidth: Int.random(in: -5...5_000, using: &random),
        storageHeight: Int.random(in: -5...5_000, using: &random))
      for _ in 0..<3 {
        let cues = (0..<Int.random(in: 0..<5, using: &random)).map { _ in cue(text(&random), placement(&random)) }
        let place: SubtitleLayer.Place = Bool.random(using: &random) ? .own : .top
        let overlay = renderer.overlay(of: shown(cues, place: place), at: seconds(1), geometry)
        let frame = PixelRect(x: 0, y: 0, width: geometry.width, height: geometry.height)
        for piece in overlay.pieces {
          #expect(piece.bounds.intersection(frame) == piece.bounds && !piece.bounds.isEmpty)
          #expect(piece.pixels.count == piece.bounds.width * piece.bounds.height * 4)
        }
      }
    }
  }
}
