import CoreGraphics
import CoreMedia
import Foundation
import Glibc
import ImageIO
import MediaEngine
import SubtitleRendering
import Testing

/// What was drawn, on a plain ground, to be measured.
struct Drawing {
  struct Pixel: Hashable {
    var red: Int
    var green: Int
    var blue: Int
  }

  static let ground = Pixel(red: 0, green: 0, blue: 160)

  let overlay: SubtitleOverlay
  let width: Int
  let height: Int
  private let bytes: [UInt8]

  init(_ overlay: SubtitleOverlay, on ground: Pixel = Drawing.ground) {
    self.overlay = overlay
    width = overlay.width
    height = overlay.height
    let (width, height) = (width, height)
    var rows = [UInt8](repeating: 0, count: width * height * 3)
    let color = [UInt8(ground.red), UInt8(ground.green), UInt8(ground.blue)]
    rows.withUnsafeMutableBytes { target in
      guard let base = target.baseAddress, !target.isEmpty else { return }
      base.copyMemory(from: color, byteCount: 3)
      var done = 3
      while done < target.count {
        (base + done).copyMemory(from: base, byteCount: min(done, target.count - done))
        done *= 2
      }
    }
    rows.withUnsafeMutableBytes {
      _ = overlay.draw(into: $0, width: width, height: height, bytesPerRow: width * 3, layout: .rgb)
    }
    bytes = rows
  }

  func pixel(_ x: Int, _ y: Int) -> Pixel {
    guard 0..<width ~= x, 0..<height ~= y else { return Self.ground }
    let place = (y * width + x) * 3
    return Pixel(red: Int(bytes[place]), green: Int(bytes[place + 1]), blue: Int(bytes[place + 2]))
  }

  /// The smallest rectangle of all pixels for which it holds; nil for none.
  func bounds(in part: PixelRect? = nil, where holds: (Pixel) -> Bool) -> PixelRect? {
    var found: PixelRect?
    // Elsewhere is the ground alone.
    let part = part?.intersection(overlay.bounds) ?? overlay.bounds
    for y in part.y..<part.bottom {
      for x in part.x..<part.right where holds(pixel(x, y)) {
        let own = PixelRect(x: x, y: y, width: 1, height: 1)
        found = found?.union(own) ?? own
      }
    }
    return found
  }

  func count(where holds: (Pixel) -> Bool) -> Int {
    var count = 0
    let part = overlay.bounds
    for y in part.y..<part.bottom { for x in part.x..<part.right where holds(pixel(x, y)) { count += 1 } }
    return count
  }

  /// Letters in the usual white.
  var white: PixelRect? { bounds { $0.red > 200 && $0.green > 200 && $0.blue > 200 } }
  /// The rows of pixels of white letters, as spans of rows that hold some.
  var lines: [ClosedRange<Int>] {
    var spans: [ClosedRange<Int>] = []
    let part = overlay.bounds
    for y in part.y..<part.bottom where (part.x..<part.right).contains(where: { pixel($0, y).isWhite }) {
      if let last = spans.last, last.upperBound == y - 1 {
        spans[spans.count - 1] = last.lowerBound...y
      } else {
        spans.append(y...y)
      }
    }
    return spans
  }

  /// Writes the picture to the folder that `SPROCKET_DRAWINGS` names, to be looked at.
  func show(_ name: String) {
    guard let folder = ProcessInfo.processInfo.environment["SPROCKET_DRAWINGS"] else { return }
    guard let provider = CGDataProvider(data: Data(bytes)), let space = CGColorSpace(name: CGColorSpace.sRGB),
      let image = CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 24, bytesPerRow: width * 3, space: space,
        bitmapInfo: [], provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
    else { return }
    let url = URL(fileURLWithPath: folder).appendingPathComponent(name + ".png")
    guard let file = CGImageDestinationCreateWithURL(url as CFURL, "public.png" as CFString, 1, nil) else { return }
    CGImageDestinationAddImage(file, image, nil)
    _ = CGImageDestinationFinalize(file)
  }
}

extension Drawing.Pixel {
  var isWhite: Bool { red > 200 && green > 200 && blue > 200 }
  var isBlack: Bool { red < 40 && green < 40 && blue < 40 }

  func isNear(_ red: Int, _ green: Int, _ blue: Int, _ distance: Int = 40) -> Bool {
    abs(self.red - red) <= distance && abs(self.green - green) <= distance && abs(self.blue - blue) <= distance
  }
}

/// The one font of these tests: what comes with `fonts-dejavu-core`.
let testAppearance: SubtitleAppearance = {
  var appearance = SubtitleAppearance()
  appearance.fontFamily = "DejaVu Sans"
  return appearance
}()

let wide = SubtitleGeometry(width: 640, height: 360)

func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 1_000) }

func cue(_ text: StyledText, from start: Double = 0, to end: Double = 10, _ placement: CuePlacement = CuePlacement())
  -> SubtitleCue
{
  var cue = SubtitleCue(start: seconds(start), end: seconds(end), content: .text(text))
  cue.placement = placement
  return cue
}

func cue(_ text: String, from start: Double = 0, to end: Double = 10, _ placement: CuePlacement = CuePlacement())
  -> SubtitleCue
{
  cue(StyledText(text), from: start, to: end, placement)
}

func text(_ string: String, _ change: (inout TextStyle) -> Void) -> StyledText {
  var style = TextStyle()
  change(&style)
  var text = StyledText()
  text.append(string, style)
  return text
}

func shown(_ cues: [SubtitleCue], place: SubtitleLayer.Place = .own) -> ShownSubtitles {
  ShownSubtitles([SubtitleLayer(cues: cues, place: place)])
}

/// What a fresh renderer draws.
func draw(
  _ cues: [SubtitleCue], at time: Double = 1, _ geometry: SubtitleGeometry = wide,
  _ appearance: SubtitleAppearance = testAppearance
) -> Drawing {
  draw(shown(cues), at: time, geometry, appearance)
}

func draw(
  _ shown: ShownSubtitles, at time: Double = 1, _ geometry: SubtitleGeometry = wide,
  _ appearance: SubtitleAppearance = testAppearance, fonts: [AttachedFont] = []
) -> Drawing {
  let renderer = SubtitleRenderer(fonts: fonts, appearance: appearance)
  let overlay = renderer.overlay(of: shown, at: seconds(time), geometry)
  #expect(renderer.problem == nil)
  return Drawing(overlay)
}
