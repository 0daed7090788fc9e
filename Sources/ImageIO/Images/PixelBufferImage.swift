package import CoreGraphics
package import CoreVideo
import FFmpegBackend
import Foundation
package import MediaEngine
package import MediaRuntime

/// Images of decoded pictures.
package enum PixelBufferImage {
  /// Copies the pixels into an image of 32-bit BGRA in sRGB.
  package static func image(of buffer: CVPixelBuffer, utType: CFString? = nil) throws(MediaError) -> CGImage {
    let converted = try BufferConversion.convert(buffer, to: kCVPixelFormatType_32BGRA)
    let width = CVPixelBufferGetWidth(converted)
    let height = CVPixelBufferGetHeight(converted)
    let rowBytes = width * 4
    var data = Data(count: rowBytes * height)
    converted.withPlanes { planes in
      guard let plane = planes.first else { return }
      data.withUnsafeMutableBytes { bytes in
        guard let target = bytes.baseAddress else { return }
        for row in 0..<height {
          (target + row * rowBytes).copyMemory(from: plane.baseAddress + row * plane.bytesPerRow, byteCount: rowBytes)
        }
      }
    }
    let info = CGBitmapInfo(
      rawValue: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.first.rawValue)
    guard let space = CGColorSpace(name: CGColorSpace.sRGB), let provider = CGDataProvider(data: data),
      let image = CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: rowBytes, space: space,
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
