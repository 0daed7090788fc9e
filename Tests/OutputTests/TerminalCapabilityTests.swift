import CoreVideo
import Testing
import VideoOutput

@Suite struct TerminalCapabilityTests {
  private func capabilities(_ environment: [String: String], _ answer: String) -> TerminalCapabilities {
    TerminalCapabilities(environment: environment, answer: Array(answer.utf8))
  }

  @Test func kittyAnswer_givesKittyAndCellSize() {
    let answer = "\u{1b}_Gi=4211;OK\u{1b}\\\u{1b}[6;40;20t\u{1b}[?62;c"
    let found = capabilities(["TERM": "xterm-kitty"], answer)
    #expect(found.style == .kitty)
    #expect(found.depth == .trueColor)
    #expect(found.cellWidth == 20 && found.cellHeight == 40)
  }

  @Test func attributesWithFour_giveSixel() {
    #expect(capabilities(["TERM": "xterm-256color"], "\u{1b}[?62;4;22c").style == .sixel)
  }

  @Test func attributesWithoutFour_giveBlocks() {
    #expect(capabilities(["TERM": "xterm-256color"], "\u{1b}[?64;14;22c").style == .blocks)
  }

  @Test func kittyErrorAnswer_isNotKitty() {
    #expect(capabilities([:], "\u{1b}_Gi=4211;ENOTSUP\u{1b}\\\u{1b}[?62;c").style == .blocks)
  }

  @Test func multiplexer_hidesKitty() {
    #expect(capabilities(["TMUX": "x"], "\u{1b}_Gi=4211;OK\u{1b}\\\u{1b}[?62;c").style == .blocks)
  }

  @Test func noAnswer_givesBlocks() {
    #expect(capabilities(["TERM": "xterm"], "").style == .blocks)
  }

  @Test(arguments: [
    ("xterm-256color", "", TerminalColorDepth.palette256), ("xterm-256color", "truecolor", .trueColor),
    ("dumb", "", .monochrome), ("", "", .monochrome), ("linux", "", .palette256),
  ])
  func colourDepth_followsTheEnvironment(term: String, color: String, expected: TerminalColorDepth) {
    #expect(capabilities(["TERM": term, "COLORTERM": color], "").depth == expected)
  }

  @Test func noColor_turnsColourOff() {
    #expect(capabilities(["TERM": "xterm-kitty", "NO_COLOR": "1"], "").depth == .monochrome)
  }

  @Test func answer_isCompleteOnlyWithTheAttributes() {
    #expect(!TerminalCapabilities.isComplete(Array("\u{1b}_Gi=4211;OK\u{1b}\\".utf8)))
    #expect(!TerminalCapabilities.isComplete(Array("\u{1b}[?62;4".utf8)))
    #expect(TerminalCapabilities.isComplete(Array("\u{1b}[?62;4c".utf8)))
  }

  @Test func absurdCellSizes_areIgnored() {
    let found = capabilities([:], "\u{1b}[6;99999;0t\u{1b}[?62;c")
    #expect(found.cellWidth == 0 && found.cellHeight == 0)
    let geometry = TerminalGeometry(columns: -5, rows: 99_999, cellWidth: 0, cellHeight: 7)
    #expect(geometry.columns == 1 && geometry.rows == 1000 && geometry.cellHeight == 20)
  }
}

@Suite struct RGBImageTests {
  /// 3×2 stored pixels whose blue channel numbers them 0…5.
  private func numbered() throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferCreate(nil, 3, 2, kCVPixelFormatType_32BGRA, nil, &buffer) == kCVReturnSuccess)
    let made = try #require(buffer)
    #expect(CVPixelBufferLockBaseAddress(made, []) == kCVReturnSuccess)
    let base = try #require(CVPixelBufferGetBaseAddress(made)).assumingMemoryBound(to: UInt8.self)
    let rowBytes = CVPixelBufferGetBytesPerRow(made)
    for row in 0..<2 {
      for column in 0..<3 { base[row * rowBytes + column * 4] = UInt8(row * 3 + column) }
    }
    _ = CVPixelBufferUnlockBaseAddress(made, [])
    return made
  }

  @Test(arguments: [
    (PictureOrientation.up, [0, 1, 2, 3, 4, 5]), (.down, [5, 4, 3, 2, 1, 0]), (.right, [3, 0, 4, 1, 5, 2]),
    (.left, [2, 5, 1, 4, 0, 3]), (.upMirrored, [2, 1, 0, 5, 4, 3]), (.downMirrored, [3, 4, 5, 0, 1, 2]),
    (.leftMirrored, [0, 3, 1, 4, 2, 5]), (.rightMirrored, [5, 2, 4, 1, 3, 0]),
  ])
  func orientation_turnsStoredPixels(orientation: PictureOrientation, expected: [Int]) throws {
    let image = try #require(RGBImage(bgra: try numbered(), orientation: orientation))
    #expect(image.width == (orientation.isTurned ? 2 : 3))
    let numbers = (0..<6).map { Int(image.bytes[$0 * 3 + 2]) }
    #expect(numbers == expected)
  }

  @Test func orientation_ofQuarterTurns_comesFromTheTransform() {
    #expect(PictureOrientation(a: 0, b: 1, c: -1, d: 0) == .right)
    #expect(PictureOrientation(a: 0, b: -1, c: 1, d: 0) == .left)
    #expect(PictureOrientation(a: -1, b: 0, c: 0, d: -1) == .down)
    #expect(PictureOrientation(a: 0.7, b: 0.7, c: -0.7, d: 0.7) == .up)
  }

  @Test func otherPixelFormats_areRefused() throws {
    var buffer: CVPixelBuffer?
    _ = CVPixelBufferCreate(nil, 4, 4, kCVPixelFormatType_420YpCbCr8Planar, nil, &buffer)
    #expect(RGBImage(bgra: try #require(buffer)) == nil)
  }

  @Test(arguments: [(0, 0, 0, 16), (255, 255, 255, 231), (255, 0, 0, 196), (0, 0, 255, 21), (128, 128, 128, 244)])
  func paletteIndex_isTheNearestXtermColour(red: UInt8, green: UInt8, blue: UInt8, index: UInt8) {
    #expect(RGBColor(red: red, green: green, blue: blue).paletteIndex == index)
  }
}
