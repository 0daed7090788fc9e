/// How a pixel format lies in memory.
package struct PixelFormatLayout: Sendable {
  package struct Plane: Sendable {
    /// Of all components in the plane, for one of the plane's own pixels.
    package var bitsPerPixel: Int
    /// Picture columns per column of the plane.
    package var horizontalSubsampling = 1
    /// Picture rows per row of the plane.
    package var verticalSubsampling = 1
    /// Rows come in groups of this many pixels and bytes, where a pixel has no whole number of bits.
    var block: (pixels: Int, bytes: Int)?

    /// Columns of the plane for a picture that wide, incomplete chroma pixels included.
    package func width(_ pictureWidth: Int) -> Int { Plane.divide(pictureWidth, horizontalSubsampling) }
    package func height(_ pictureHeight: Int) -> Int { Plane.divide(pictureHeight, verticalSubsampling) }

    /// Bytes of a row of the picture without padding.
    package func rowBytes(pictureWidth: Int) -> Int {
      if let block { return Plane.divide(pictureWidth, block.pixels) * block.bytes }
      return Plane.divide(width(pictureWidth) * bitsPerPixel, 8)
    }

    private static func divide(_ dividend: Int, _ divisor: Int) -> Int { (dividend + divisor - 1) / divisor }
  }

  package let planes: [Plane]
  /// One plane or not, Apple's API counts planes of planar formats only.
  package let isPlanar: Bool

  /// Nil for codes that are unknown, or whose bytes nobody outside a camera can read.
  package init?(_ format: OSType) {
    if let planes = PixelFormatLayout.planarFormats[format] {
      self.planes = planes
      isPlanar = true
    } else if format == kCVPixelFormatType_422YpCbCr10 {
      planes = [Plane(bitsPerPixel: 22, block: (pixels: 48, bytes: 128))]
      isPlanar = false
    } else if let bits = PixelFormatLayout.packedFormats[format] {
      // Two pixels share their chroma, so a row holds whole pairs.
      let block: (Int, Int)? = PixelFormatLayout.pairedFormats.contains(format) ? (2, bits / 8 * 2) : nil
      planes = [Plane(bitsPerPixel: bits, block: block)]
      isPlanar = false
    } else {
      return nil
    }
  }

  private static func biplanar(bytes: Int, _ horizontal: Int, _ vertical: Int) -> [Plane] {
    [
      Plane(bitsPerPixel: 8 * bytes),
      Plane(bitsPerPixel: 16 * bytes, horizontalSubsampling: horizontal, verticalSubsampling: vertical),
    ]
  }

  private static func triplanar420() -> [Plane] {
    let chroma = Plane(bitsPerPixel: 8, horizontalSubsampling: 2, verticalSubsampling: 2)
    return [Plane(bitsPerPixel: 8), chroma, chroma]
  }

  private static let planarFormats: [OSType: [Plane]] = [
    kCVPixelFormatType_420YpCbCr8Planar: triplanar420(),
    kCVPixelFormatType_420YpCbCr8PlanarFullRange: triplanar420(),
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: biplanar(bytes: 1, 2, 2),
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: biplanar(bytes: 1, 2, 2),
    kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: biplanar(bytes: 1, 2, 1),
    kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: biplanar(bytes: 1, 2, 1),
    kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: biplanar(bytes: 1, 1, 1),
    kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: biplanar(bytes: 1, 1, 1),
    kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: biplanar(bytes: 2, 2, 2),
    kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: biplanar(bytes: 2, 2, 2),
    kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: biplanar(bytes: 2, 2, 1),
    kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: biplanar(bytes: 2, 2, 1),
    kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange: biplanar(bytes: 2, 1, 1),
    kCVPixelFormatType_444YpCbCr10BiPlanarFullRange: biplanar(bytes: 2, 1, 1),
    kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange: biplanar(bytes: 2, 2, 1),
    kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange: biplanar(bytes: 2, 1, 1),
    kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar: biplanar(bytes: 1, 2, 2) + [Plane(bitsPerPixel: 8)],
    kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar: biplanar(bytes: 2, 1, 1) + [Plane(bitsPerPixel: 16)],
    kCVPixelFormatType_422YpCbCr_4A_8BiPlanar: [Plane(bitsPerPixel: 16), Plane(bitsPerPixel: 8)],
  ]

  private static let pairedFormats: Set<OSType> = [
    kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8FullRange,
    kCVPixelFormatType_422YpCbCr16,
  ]

  private static let packedFormats: [OSType: Int] = [
    kCVPixelFormatType_1Monochrome: 1, kCVPixelFormatType_2Indexed: 2, kCVPixelFormatType_4Indexed: 4,
    kCVPixelFormatType_8Indexed: 8, kCVPixelFormatType_1IndexedGray_WhiteIsZero: 1,
    kCVPixelFormatType_2IndexedGray_WhiteIsZero: 2, kCVPixelFormatType_4IndexedGray_WhiteIsZero: 4,
    kCVPixelFormatType_8IndexedGray_WhiteIsZero: 8, kCVPixelFormatType_16BE555: 16, kCVPixelFormatType_16LE555: 16,
    kCVPixelFormatType_16LE5551: 16, kCVPixelFormatType_16BE565: 16, kCVPixelFormatType_16LE565: 16,
    kCVPixelFormatType_24RGB: 24, kCVPixelFormatType_24BGR: 24, kCVPixelFormatType_32ARGB: 32,
    kCVPixelFormatType_32BGRA: 32, kCVPixelFormatType_32ABGR: 32, kCVPixelFormatType_32RGBA: 32,
    kCVPixelFormatType_64ARGB: 64, kCVPixelFormatType_64RGBALE: 64, kCVPixelFormatType_48RGB: 48,
    kCVPixelFormatType_32AlphaGray: 32, kCVPixelFormatType_16Gray: 16, kCVPixelFormatType_30RGB: 32,
    kCVPixelFormatType_30RGB_r210: 32, kCVPixelFormatType_422YpCbCr8: 16, kCVPixelFormatType_422YpCbCr8_yuvs: 16,
    kCVPixelFormatType_422YpCbCr8FullRange: 16, kCVPixelFormatType_4444YpCbCrA8: 32,
    kCVPixelFormatType_4444YpCbCrA8R: 32, kCVPixelFormatType_4444AYpCbCr8: 32, kCVPixelFormatType_4444AYpCbCr16: 64,
    kCVPixelFormatType_4444AYpCbCrFloat: 128, kCVPixelFormatType_444YpCbCr8: 24, kCVPixelFormatType_422YpCbCr16: 32,
    kCVPixelFormatType_444YpCbCr10: 32, kCVPixelFormatType_OneComponent8: 8, kCVPixelFormatType_TwoComponent8: 16,
    kCVPixelFormatType_OneComponent10: 16, kCVPixelFormatType_OneComponent12: 16,
    kCVPixelFormatType_OneComponent16: 16, kCVPixelFormatType_TwoComponent16: 32,
    kCVPixelFormatType_OneComponent16Half: 16, kCVPixelFormatType_OneComponent32Float: 32,
    kCVPixelFormatType_TwoComponent16Half: 32, kCVPixelFormatType_TwoComponent32Float: 64,
    kCVPixelFormatType_64RGBAHalf: 64, kCVPixelFormatType_128RGBAFloat: 128,
    kCVPixelFormatType_30RGBLEPackedWideGamut: 32, kCVPixelFormatType_ARGB2101010LEPacked: 32,
    kCVPixelFormatType_40ARGBLEWideGamut: 64, kCVPixelFormatType_40ARGBLEWideGamutPremultiplied: 64,
    kCVPixelFormatType_DisparityFloat16: 16, kCVPixelFormatType_DisparityFloat32: 32,
    kCVPixelFormatType_DepthFloat16: 16, kCVPixelFormatType_DepthFloat32: 32,
  ]
}
