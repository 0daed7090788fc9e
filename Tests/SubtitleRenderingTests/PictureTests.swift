import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime
import SubtitleRendering
import Testing

/// Pictures of discs and broadcasts.
@Suite struct PictureTests {
  /// One colour, multiplied by its alpha.
  static func picture(
    x: Int, y: Int, width: Int, height: Int, frame: (Int, Int), color: [UInt8] = [255, 0, 0, 255]
  ) -> SubtitlePicture {
    SubtitlePicture(
      x: x, y: y, width: width, height: height, frameWidth: frame.0, frameHeight: frame.1,
      pixels: Data((0..<max(width * height, 0)).flatMap { _ in color }))
  }

  static func cue(_ pictures: [SubtitlePicture]) -> SubtitleCue {
    SubtitleCue(start: .zero, end: seconds(10), content: .pictures(pictures))
  }

  private func red(_ pictures: [SubtitlePicture], _ geometry: SubtitleGeometry) -> PixelRect? {
    draw([Self.cue(pictures)], geometry).bounds { $0.isNear(255, 0, 0, 4) }
  }

  @Test func framesOfThePicturesShapeFillIt() {
    let own = Self.picture(x: 480, y: 900, width: 960, height: 90, frame: (1920, 1080))
    #expect(red([own], wide) == PixelRect(x: 160, y: 300, width: 320, height: 30))
    #expect(
      red([own], SubtitleGeometry(width: 1920, height: 1080)) == PixelRect(x: 480, y: 900, width: 960, height: 90))
    let larger = SubtitleGeometry(width: 3840, height: 2160)
    #expect(red([own], larger) == PixelRect(x: 960, y: 1800, width: 1920, height: 180))
  }

  @Test func standardDefinitionFillsThePictureWhateverItsPixels() {
    let dvd = Self.picture(x: 180, y: 480, width: 360, height: 48, frame: (720, 576))
    #expect(red([dvd], wide) == PixelRect(x: 160, y: 300, width: 320, height: 30))
    let unstated = Self.picture(x: 180, y: 480, width: 360, height: 48, frame: (0, 0))
    let geometry = SubtitleGeometry(width: 640, height: 360, storageWidth: 720, storageHeight: 576)
    #expect(red([unstated], geometry) == PixelRect(x: 160, y: 300, width: 320, height: 30))
  }

  /// A film in 1920 × 800 with the subtitles of its disc.
  @Test func croppedFilmsKeepThemInThePictureAndInShape() throws {
    let geometry = SubtitleGeometry(width: 960, height: 400)
    let upper = Self.picture(x: 600, y: 940, width: 720, height: 40, frame: (1920, 1080))
    let lower = Self.picture(x: 600, y: 1000, width: 720, height: 40, frame: (1920, 1080))
    let drawn = try #require(red([upper, lower], geometry))
    #expect(drawn == PixelRect(x: 300, y: 350, width: 360, height: 50))
    let top = try #require(red([Self.picture(x: 600, y: 20, width: 720, height: 40, frame: (1920, 1080))], geometry))
    #expect(top == PixelRect(x: 300, y: 0, width: 360, height: 20))
  }

  @Test func transparencyIsKept() {
    let half = Self.picture(x: 0, y: 0, width: 64, height: 36, frame: (640, 360), color: [128, 0, 0, 128])
    let drawing = draw([Self.cue([half])])
    #expect(drawing.pixel(30, 20).isNear(128, 0, 80, 1))
  }

  @Test func scalingAverages() throws {
    // Columns of white and of nothing become grey of half the alpha.
    let stripes = SubtitlePicture(
      x: 0, y: 0, width: 1280, height: 720, frameWidth: 1280, frameHeight: 720,
      pixels: Data((0..<1280 * 720).flatMap { $0 % 2 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 0] as [UInt8] }))
    let overlay = SubtitleRenderer().overlay(of: shown([Self.cue([stripes])]), at: .zero, wide)
    let piece = try #require(overlay.pieces.first)
    #expect(piece.bounds == PixelRect(x: 0, y: 0, width: 640, height: 360))
    for place in [4 * (640 * 100 + 100), 4 * (640 * 359 + 320)] {
      #expect(piece.pixels[place..<place + 4].allSatisfy { (126...129).contains($0) })
    }
  }

  @Test func theyNeedNoLibrary() {
    let renderer = SubtitleRenderer(library: LibraryTests.missing)
    let own = Self.picture(x: 0, y: 0, width: 64, height: 36, frame: (640, 360))
    let overlay = renderer.overlay(of: shown([Self.cue([own]), SubtitleRenderingTests.cue("text")]), at: .zero, wide)
    #expect(overlay.pieces.map(\.bounds) == [PixelRect(x: 0, y: 0, width: 64, height: 36)])
    #expect(renderer.problem?.code == .textUndrawable)
  }

  @Test func wildOnesAreCutOrLeftOut() {
    let far = 1 << 40
    var wild = [
      Self.picture(x: far, y: -far, width: 8, height: 8, frame: (640, 360)),
      Self.picture(x: Int.min, y: Int.max, width: 8, height: 8, frame: (640, 360)),
      Self.picture(x: -100, y: -100, width: 200, height: 200, frame: (1, 1)),
      Self.picture(x: 0, y: 0, width: 8, height: 8, frame: (far, far)),
      Self.picture(x: 0, y: 0, width: 8, height: 8, frame: (-1, 5)),
    ]
    var short = Self.picture(x: 0, y: 0, width: 8, height: 8, frame: (640, 360))
    short.pixels = Data([1, 2, 3])
    wild.append(short)
    short.width = far
    wild.append(short)
    (short.width, short.height) = (0, -1)
    wild.append(short)
    for picture in wild {
      let overlay = SubtitleRenderer().overlay(of: shown([Self.cue([picture])]), at: .zero, wide)
      for piece in overlay.pieces {
        #expect(piece.bounds.intersection(PixelRect(x: 0, y: 0, width: 640, height: 360)) == piece.bounds)
      }
    }
    let many = (0..<5_000).map { Self.picture(x: $0 % 600, y: $0 % 300, width: 3, height: 3, frame: (640, 360)) }
    let overlay = SubtitleRenderer().overlay(of: shown([Self.cue(many)]), at: .zero, wide)
    #expect(overlay.pieces.count <= 65)
  }
}
