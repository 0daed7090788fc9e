import CoreGraphics
import Foundation
import ImageIO
import Testing

@Suite struct StillTests {
  private func image() throws -> CGImage {
    let width = 8
    var bytes: [UInt8] = []
    for index in 0..<UInt8(32) { bytes += [index * 7, 255 - index * 5, index, 255] }
    let provider = try #require(CGDataProvider(data: Data(bytes)))
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    return try #require(
      CGImage(
        width: width, height: 4, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4, space: space,
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue), provider: provider, decode: nil,
        shouldInterpolate: false, intent: .defaultIntent))
  }

  private func written(_ type: CFString) throws -> NSMutableData {
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, type, 1, nil))
    CGImageDestinationAddImage(destination, try image(), nil)
    #expect(CGImageDestinationFinalize(destination))
    return data
  }

  @Test func aPictureWrittenAsPNGIsReadBackBitByBit() throws {
    let source = try #require(CGImageSourceCreateWithData(Data(referencing: written("public.png")), nil))
    #expect(CGImageSourceGetType(source) == "public.png")
    #expect(CGImageSourceGetCount(source) == 1)
    let read = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    let original = [UInt8](try #require(try image().dataProvider?.data))
    let bytes = [UInt8](try #require(read.dataProvider?.data))
    #expect(read.width == 8 && read.height == 4)
    for pixel in 0..<32 {
      #expect(Array(bytes[pixel * 4..<pixel * 4 + 3].reversed()) == Array(original[pixel * 4..<pixel * 4 + 3]))
    }
  }

  @Test(arguments: ["public.jpeg", "public.png"] as [CFString])
  func aQualityThatIsNoNumberIsTheUsualOne(_ type: CFString) throws {
    for quality in [Double.nan, .infinity, -.infinity, 1e300] {
      let data = NSMutableData()
      let destination = try #require(CGImageDestinationCreateWithData(data, type, 1, nil))
      CGImageDestinationAddImage(destination, try image(), [kCGImageDestinationLossyCompressionQuality: quality])
      #expect(CGImageDestinationFinalize(destination))
      if quality.isNaN { #expect(data == (try written(type))) }
    }
  }

  @Test func jpegIsReadBackAndUnknownTypesAreRefused() throws {
    let source = try #require(CGImageSourceCreateWithData(Data(referencing: written("public.jpeg")), nil))
    #expect(CGImageSourceCreateImageAtIndex(source, 0, nil)?.width == 8)
    #expect(CGImageSourceCreateImageAtIndex(source, 1, nil) == nil)
    #expect(CGImageDestinationCreateWithData(NSMutableData(), "com.example.none", 1, nil) == nil)
    let broken = try #require(CGImageSourceCreateWithData(Data("no picture".utf8), nil))
    #expect(CGImageSourceGetCount(broken) == 0)
  }
}
