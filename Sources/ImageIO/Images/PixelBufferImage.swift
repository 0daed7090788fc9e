package import CoreGraphics
package import CoreVideo
import FFmpegBackend
import Foundation
package import MediaEngine
package import MediaRuntime

/// Images of decoded pictures.
package enum PixelBufferImage {
  /// Copies the pixels into an image of 32-bit BGRA in sRGB.
  /// - Parameter isOpaque: the fourth byte means nothing.
  package static func image(of buffer: CVPixelBuffer, isOpaque: Bool = false, utType: CFString? = nil)
    throws(MediaError) -> CGImage
  {
    let converted = try BufferConversion.convert(buffer, to: kCVPixelFormatType_32BGRA)
    let alpha = isOpaque ? CGImageAlphaInfo.noneSkipFirst : .first
    return try image(
      converted, bits: 8, CGColorSpace.sRGB,
      CGBitmapInfo(rawValue: CGBitmapInfo.byteOrder32Little.rawValue | alpha.rawValue), utType)
  }

  /// Copies the pixels of `kCVPixelFormatType_64RGBALE` into an image without alpha in a colour space of high range.
  package static func deepImage(of buffer: CVPixelBuffer, _ space: CFString) throws(MediaError) -> CGImage {
    try image(
      buffer, bits: 16, space,
      CGBitmapInfo(rawValue: CGBitmapInfo.byteOrder16Little.rawValue | CGImageAlphaInfo.noneSkipLast.rawValue), nil)
  }

  private static func image(
    _ buffer: CVPixelBuffer, bits: Int, _ space: CFString, _ info: CGBitmapInfo, _ utType: CFString?
  ) throws(MediaError) -> CGImage {
    let width = CVPixelBufferGetWidth(buffer)
    let height = CVPixelBufferGetHeight(buffer)
    let rowBytes = width * bits / 2
    var data = Data(count: rowBytes * height)
    buffer.withPlanes { planes in
      guard let plane = planes.first else { return }
      data.withUnsafeMutableBytes { bytes in
        guard let target = bytes.baseAddress else { return }
        for row in 0..<height {
          (target + row * rowBytes).copyMemory(from: plane.baseAddress + row * plane.bytesPerRow, byteCount: rowBytes)
        }
      }
    }
    guard let space = CGColorSpace(name: space), let provider = CGDataProvider(data: data),
      let image = CGImage(
        width: width, height: height, bitsPerComponent: bits, bitsPerPixel: bits * 4, bytesPerRow: rowBytes,
        space: space,
        bitmapInfo: info, provider: provider, utType: utType)
    else {
      throw MediaError(.conversionFailed, "The picture is too large for an image.")
    }
    return image
  }

  /// - Parameter width, height: what to scale to; nil keeps the stored size.
  package static func image(of picture: any VideoPicture, width: Int? = nil, height: Int? = nil) throws -> CGImage {
    try image(of: picture.pixelBuffer(format: kCVPixelFormatType_32BGRA, width: width, height: height))
  }
}
