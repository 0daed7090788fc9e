import CoreGraphics
import CoreVideo
import CoreMedia
import Foundation
import MediaEngine
import SubtitleRendering
import Testing

/// Laying an overlay over pictures, in all their forms.
@Suite struct CompositingTests {
  /// One pixel of a premultiplied colour, at a place of a picture.
  private func overlay(_ pixel: [UInt8], x: Int = 0, y: Int = 0, width: Int = 2, height: Int = 2) -> SubtitleOverlay {
    let picture = SubtitlePicture(
      x: x, y: y, width: 1, height: 1, frameWidth: width, frameHeight: height, pixels: Data(pixel))
    return SubtitleRenderer().overlay(
      of: shown([PictureTests.cue([picture])]), at: .zero, SubtitleGeometry(width: width, height: height))
  }

  /// The reference: real numbers, rounded once.
  private func expected(_ front: Int, _ alpha: Int, _ back: Int) -> Int {
    Int((Double(front) + Double(back) * Double(255 - alpha) / 255).rounded())
  }

  @Test func everyAlphaOverEveryValueIsRoundedToTheNearest() {
    for alpha in 1...255 {
      let front = alpha * 2 / 3
      let overlay = overlay([UInt8(front), 0, UInt8(alpha), UInt8(alpha)], width: 1, height: 1)
      var wrong = 0
      for back in 0...255 {
        var row = [UInt8(back), UInt8(back), UInt8(back)]
        _ = row.withUnsafeMutableBytes { overlay.draw(into: $0, width: 1, height: 1, bytesPerRow: 3, layout: .rgb) }
        let right = [expected(front, alpha, back), expected(0, alpha, back), expected(alpha, alpha, back)]
        if row.map(Int.init) != right { wrong += 1 }
      }
      #expect(wrong == 0, "alpha \(alpha)")
    }
  }

  @Test func layoutsPutComponentsInTheirPlaces() {
    let overlay = overlay([10, 20, 30, 255])
    for (layout, bytes) in [
      (PixelLayout.rgb, [10, 20, 30]), (.bgra, [30, 20, 10, 255]),
      (PixelLayout(step: 4, red: 1, green: 2, blue: 3), [7, 10, 20, 30]),
      (PixelLayout(step: 4, red: 0, green: 1, blue: 2, alpha: .premultiplied(3)), [10, 20, 30, 255]),
    ] {
      var rows = [UInt8](repeating: 7, count: layout.step * 4)
      let isDrawn = rows.withUnsafeMutableBytes {
        overlay.draw(into: $0, width: 2, height: 2, bytesPerRow: layout.step * 2, layout: layout)
      }
      #expect(isDrawn)
      #expect(rows[..<layout.step].map(Int.init) == bytes)
      #expect(rows[layout.step...].allSatisfy { $0 == 7 })
    }
  }

  @Test func transparentGroundsGetTheColorAndTheAlpha() {
    let overlay = overlay([64, 0, 0, 128], width: 1, height: 1)
    // Straight: half of a half-red over nothing is half-red at half alpha.
    var straight: [UInt8] = [0, 0, 0, 0]
    _ = straight.withUnsafeMutableBytes { overlay.draw(into: $0, width: 1, height: 1, bytesPerRow: 4, layout: .bgra) }
    #expect(straight == [0, 0, 128, 128])
    var half: [UInt8] = [200, 0, 0, 128]
    _ = half.withUnsafeMutableBytes { overlay.draw(into: $0, width: 1, height: 1, bytesPerRow: 4, layout: .bgra) }
    // Alpha 128 + 64 = 192; blue 200 · 64 / 192, red 64 · 255 / 192.
    #expect(half == [67, 0, 85, 192])
    var premultiplied: [UInt8] = [100, 0, 0, 128]
    let layout = PixelLayout(step: 4, red: 2, green: 1, blue: 0, alpha: .premultiplied(3))
    _ = premultiplied.withUnsafeMutableBytes {
      overlay.draw(into: $0, width: 1, height: 1, bytesPerRow: 4, layout: layout)
    }
    #expect(premultiplied == [50, 0, 64, 192])
  }

  @Test func rowsThatAreTooShortAreLeftAlone() {
    let overlay = overlay([10, 20, 30, 255], x: 1, y: 1)
    var rows = [UInt8](repeating: 7, count: 11)
    let before = rows
    let results = rows.withUnsafeMutableBytes { bytes in
      [
        overlay.draw(into: bytes, width: 2, height: 2, bytesPerRow: 6, layout: .rgb),
        overlay.draw(into: bytes, width: 2, height: 2, bytesPerRow: 5, layout: .rgb),
        overlay.draw(into: bytes, width: 2, height: Int.max, bytesPerRow: 6, layout: .rgb),
        overlay.draw(into: bytes, width: Int.max, height: 2, bytesPerRow: Int.max, layout: .rgb),
        overlay.draw(into: bytes, width: -1, height: 2, bytesPerRow: 6, layout: .rgb),
        overlay.draw(
          into: bytes, width: 1, height: 1, bytesPerRow: 6, layout: PixelLayout(step: 3, red: 0, green: 1, blue: 3)),
      ]
    }
    #expect(results == Array(repeating: false, count: 6))
    #expect(rows == before)
    // Padding between rows stays as it is; a smaller picture gets what falls into it.
    var padded = [UInt8](repeating: 7, count: 16)
    padded.withUnsafeMutableBytes {
      #expect(overlay.draw(into: $0, width: 2, height: 2, bytesPerRow: 10, layout: .rgb))
    }
    #expect(padded[..<13].allSatisfy { $0 == 7 })
    #expect(Array(padded[13...]) == [10, 20, 30])
    var small = [UInt8](repeating: 7, count: 3)
    small.withUnsafeMutableBytes { #expect(overlay.draw(into: $0, width: 1, height: 1, bytesPerRow: 3, layout: .rgb)) }
    #expect(small == [7, 7, 7])
  }

  @Test(arguments: [
    (CGImageAlphaInfo.noneSkipFirst, CGBitmapInfo.byteOrder32Little, [30, 20, 10, 7] as [UInt8]),
    (.first, .byteOrder32Little, [30, 20, 10, 255]), (.premultipliedFirst, .byteOrder32Little, [30, 20, 10, 255]),
    (.last, .byteOrder32Big, [10, 20, 30, 255]), (.noneSkipLast, CGBitmapInfo(), [10, 20, 30, 7]),
    (.premultipliedFirst, .byteOrder32Big, [255, 10, 20, 30]),
  ])
  func images(alpha: CGImageAlphaInfo, order: CGBitmapInfo, bytes: [UInt8]) throws {
    let source = Data(repeating: 7, count: 16)
    let provider = try #require(CGDataProvider(data: source))
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let image = try #require(
      CGImage(
        width: 2, height: 2, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 8, space: space,
        bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue | order.rawValue), provider: provider, decode: nil,
        shouldInterpolate: true, intent: .defaultIntent))
    let drawn = try #require(overlay([10, 20, 30, 255]).drawn(over: image))
    let data = try #require(drawn.dataProvider?.data)
    #expect(Array(data[data.startIndex..<data.startIndex + 4]) == bytes)
    #expect(data[(data.startIndex + 4)...].allSatisfy { $0 == 7 })
    #expect(drawn.bitmapInfo == image.bitmapInfo)
    // The image itself is as it was.
    #expect(image.dataProvider?.data == source)
  }

  @Test func imagesOfOtherKindsHaveNone() throws {
    let provider = try #require(CGDataProvider(data: Data(repeating: 7, count: 64)))
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let deep = try #require(
      CGImage(
        width: 2, height: 2, bitsPerComponent: 16, bitsPerPixel: 64, bytesPerRow: 16, space: space,
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue), provider: provider, decode: nil,
        shouldInterpolate: true, intent: .defaultIntent))
    #expect(overlay([10, 20, 30, 255]).drawn(over: deep) == nil)
    let nothing = SubtitleRenderer().overlay(of: ShownSubtitles(), at: .zero, SubtitleGeometry(width: 2, height: 2))
    #expect(nothing.drawn(over: deep) === deep)
  }

  @Test(arguments: [
    (kCVPixelFormatType_32BGRA, [30, 20, 10] as [UInt8], 0), (kCVPixelFormatType_32RGBA, [10, 20, 30], 0),
    (kCVPixelFormatType_32ARGB, [10, 20, 30], 1), (kCVPixelFormatType_24RGB, [10, 20, 30], 0),
  ])
  func buffers(format: OSType, bytes: [UInt8], offset: Int) throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 2, 2, format, nil, &made)
    let buffer = try #require(made)
    #expect(overlay([10, 20, 30, 255], x: 1, y: 1).draw(into: buffer))
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    let step = format == kCVPixelFormatType_24RGB ? 3 : 4
    let place = CVPixelBufferGetBytesPerRow(buffer) + step + offset
    #expect((0..<3).map { (base + place + $0).load(as: UInt8.self) } == bytes)
  }

  @Test func buffersOfOtherKindsAreLeftAlone() throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 2, 2, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &made)
    #expect(!overlay([10, 20, 30, 255]).draw(into: try #require(made)))
  }
}
