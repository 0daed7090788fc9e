import CoreVideo
import Testing
import VideoOutput

@Suite struct TerminalPictureTests {
  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1b}", with: "␛")
  }

  private func placement(columns: Int, rows: Int, style: TerminalPictureStyle = .blocks) -> PicturePlacement {
    PicturePlacement(
      aspect: Double(columns) / Double(rows * 2), in: TerminalGeometry(columns: columns, rows: rows), reservedRows: 0,
      style: style)
  }

  private let redOverBlue = RGBImage(width: 2, height: 2, bytes: [252, 0, 0, 252, 0, 0, 0, 0, 252, 0, 0, 252])

  @Test func halfBlocks_twoByTwoPixels_areTwoCellsWithOneColourChange() throws {
    var encoder = HalfBlockEncoder(depth: .trueColor)
    let bytes = encoder.encode(try #require(redOverBlue), at: placement(columns: 2, rows: 1))
    #expect(text(bytes) == "␛[1;1H␛[38;2;252;0;0m␛[48;2;0;0;252m▀▀␛[0m")
  }

  @Test func halfBlocks_samePictureAgain_sendsNothing() throws {
    var encoder = HalfBlockEncoder(depth: .trueColor)
    let image = try #require(redOverBlue)
    _ = encoder.encode(image, at: placement(columns: 2, rows: 1))
    #expect(encoder.encode(image, at: placement(columns: 2, rows: 1)) == [])
  }

  @Test func halfBlocks_oneCellChanged_sendsThatCellAlone() throws {
    var encoder = HalfBlockEncoder(depth: .trueColor)
    var image = try #require(redOverBlue)
    _ = encoder.encode(image, at: placement(columns: 2, rows: 1))
    image.bytes[3] = 0
    image.bytes[4] = 128
    let bytes = encoder.encode(image, at: placement(columns: 2, rows: 1))
    #expect(text(bytes) == "␛[1;2H␛[38;2;0;128;0m␛[48;2;0;0;252m▀␛[0m")
  }

  @Test func halfBlocks_afterForget_sendsAllAgain() throws {
    var encoder = HalfBlockEncoder(depth: .trueColor)
    let image = try #require(redOverBlue)
    let first = encoder.encode(image, at: placement(columns: 2, rows: 1))
    encoder.forget()
    #expect(encoder.encode(image, at: placement(columns: 2, rows: 1)) == first)
  }

  @Test func halfBlocks_paletteTerminal_usesIndexedColours() throws {
    var encoder = HalfBlockEncoder(depth: .palette256)
    let bytes = encoder.encode(try #require(redOverBlue), at: placement(columns: 2, rows: 1))
    #expect(text(bytes) == "␛[1;1H␛[38;5;196m␛[48;5;21m▀▀␛[0m")
  }

  @Test func halfBlocks_monochromeTerminal_usesShadesWithoutColour() throws {
    var encoder = HalfBlockEncoder(depth: .monochrome)
    let white = try #require(RGBImage(width: 1, height: 2, bytes: [UInt8](repeating: 255, count: 6)))
    let black = RGBImage(width: 1, height: 2)
    #expect(text(encoder.encode(white, at: placement(columns: 1, rows: 1))) == "␛[1;1H█")
    #expect(text(encoder.encode(black, at: placement(columns: 1, rows: 1))) == "␛[1;1H ")
  }

  @Test func text_standsOverTheBlocks_onceAndUntilItGoes() throws {
    var encoder = HalfBlockEncoder(depth: .trueColor)
    let image = RGBImage(width: 4, height: 4)
    let place = placement(columns: 4, rows: 2)
    let line = TerminalText(column: 1, row: 1, columns: 2, text: "Hi")
    let first = text(encoder.encode(image, at: place, texts: [line]))
    #expect(first.components(separatedBy: "▀").count - 1 == 6)
    #expect(first.contains("␛[2;2H␛[38;2;255;255;255mHi"))
    #expect(encoder.encode(image, at: place, texts: [line]) == [])
    // The picture below changes and is not seen.
    var other = image
    other.bytes[(2 * 4 + 1) * 3] = 252
    #expect(encoder.encode(other, at: place, texts: [line]) == [])
    let gone = text(encoder.encode(other, at: place))
    #expect(gone.hasPrefix("␛[2;2H") && gone.components(separatedBy: "▀").count - 1 == 2)
    // What lies outside is left out.
    let wide = TerminalText(column: 3, row: 0, columns: 2, text: "no")
    #expect(encoder.encode(other, at: place, texts: [wide]) == [])
  }

  @Test func sixel_sixRowsOfOneColour_areOneRunOfFullColumns() throws {
    let white = try #require(RGBImage(width: 5, height: 6, bytes: [UInt8](repeating: 255, count: 90)))
    var place = placement(columns: 1, rows: 1, style: .sixel)
    place.column = 2
    place.row = 3
    let bytes = text(SixelEncoder().encode(white, at: place))
    #expect(bytes.hasPrefix("␛[4;3H␛P0;1;0q\"1;1;5;6#0;2;0;0;0"))
    #expect(bytes.hasSuffix("#251!5~-␛\\"))
  }

  @Test func sixel_twoColoursInOneBand_arePassesOverTheSameBand() throws {
    var image = RGBImage(width: 2, height: 1)
    image.bytes = [255, 255, 255, 0, 0, 0]
    let bytes = text(SixelEncoder().encode(image, at: placement(columns: 1, rows: 1, style: .sixel)))
    #expect(bytes.hasSuffix("#0?@$#251@-␛\\"))
  }

  @Test func sixel_everyPixel_isDrawnOnce() throws {
    var generator = SystemRandomNumberGenerator()
    let width = 31
    let height = 20
    let pixels = (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let image = try #require(RGBImage(width: width, height: height, bytes: pixels))
    let bytes = SixelEncoder().encode(image, at: placement(columns: 1, rows: 1, style: .sixel))
    #expect(SixelReader.coverage(bytes, width: width, height: height).allSatisfy { $0 == 1 })
  }

  @Test func kitty_smallPicture_isOneChunkWithPlaceAndId() throws {
    let image = try #require(redOverBlue)
    let bytes = text(KittyEncoder(id: 7).encode(image, at: placement(columns: 2, rows: 1)))
    #expect(bytes == "␛[1;1H␛_Ga=T,f=24,s=2,v=2,i=7,p=1,c=2,r=1,C=1,m=0,q=2;/AAA/AAAAAD8AAD8␛\\")
  }

  @Test func kitty_largePicture_isChunksOfAtMost4096WithMoreFlags() {
    let image = RGBImage(width: 64, height: 64)
    let bytes = text(KittyEncoder(id: 7).encode(image, at: placement(columns: 8, rows: 4)))
    let chunks = bytes.split(separator: "␛\\").map { $0.split(separator: ";").last ?? "" }
    #expect(chunks.count == 4)
    #expect(chunks.allSatisfy { $0.count <= 4096 })
    #expect(bytes.matches(of: /m=1,q=2/).count == 3)
    #expect(bytes.matches(of: /m=0,q=2/).count == 1)
  }

  @Test(arguments: [(1920.0 / 1080, 80, 24), (9.0 / 16, 80, 24), (100, 20, 5), (.nan, 80, 24), (0, 1, 1)])
  func placement_anyAspect_staysInTheTerminalAboveTheStatusLines(aspect: Double, columns: Int, rows: Int) {
    for style in TerminalPictureStyle.allCases {
      let geometry = TerminalGeometry(columns: columns, rows: rows)
      let place = PicturePlacement(aspect: aspect, in: geometry, reservedRows: 2, style: style)
      #expect(place.column >= 0 && place.column + place.columns <= columns)
      #expect(place.row >= 0 && place.row + place.rows <= max(rows - 2, 1))
      #expect(place.pixelWidth <= 1024 && place.pixelHeight <= 1024)
    }
  }

  @Test func placement_widescreenIn80x24_keepsTheAspectWithinACell() {
    let place = PicturePlacement(
      aspect: 16.0 / 9, in: TerminalGeometry(columns: 80, rows: 24), reservedRows: 2, style: .blocks)
    #expect(place.columns == 78 && place.rows == 22)
    #expect(place.pixelWidth == 78 && place.pixelHeight == 44)
  }
}

/// Reads sixel data back: how often each pixel is set.
private enum SixelReader {
  static func coverage(_ bytes: [UInt8], width: Int, height: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: width * height)
    guard let start = bytes.firstIndex(of: UInt8(ascii: "q")) else { return counts }
    var x = 0
    var top = 0
    var count = 1
    var index = start + 1
    func number() -> Int {
      var value = 0
      while index < bytes.count, (48...57).contains(bytes[index]) {
        value = value * 10 + Int(bytes[index] - 48)
        index += 1
      }
      return value
    }
    while index < bytes.count, bytes[index] != 0x1b {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "#"):
        while index < bytes.count, (48...57).contains(bytes[index]) || bytes[index] == UInt8(ascii: ";") { index += 1 }
      case UInt8(ascii: "!"): count = number()
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"):
        x = 0
        top += 6
      case 63...126:
        for _ in 0..<count {
          for line in 0..<6 where (byte - 63) & (1 << UInt8(line)) != 0 { counts[(top + line) * width + x] += 1 }
          x += 1
        }
        count = 1
      default: break
      }
    }
    return counts
  }
}
