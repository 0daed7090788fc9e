import CFFmpeg
import CoreVideo

/// FFmpeg's pixel formats and Apple's, where both describe the same bytes.
enum PixelFormats {
  /// Apple's format for a decoder's planes as they lie; nil where pixels must be converted.
  static func same(as format: AVPixelFormat, isFullRange: Bool) -> OSType? {
    switch format {
    case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P:
      isFullRange ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar
    case AV_PIX_FMT_NV12:
      isFullRange
        ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    case AV_PIX_FMT_NV16:
      isFullRange
        ? kCVPixelFormatType_422YpCbCr8BiPlanarFullRange : kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange
    case AV_PIX_FMT_NV24:
      isFullRange
        ? kCVPixelFormatType_444YpCbCr8BiPlanarFullRange : kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange
    case AV_PIX_FMT_P010LE:
      isFullRange
        ? kCVPixelFormatType_420YpCbCr10BiPlanarFullRange : kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
    case AV_PIX_FMT_UYVY422: kCVPixelFormatType_422YpCbCr8
    case AV_PIX_FMT_YUYV422: kCVPixelFormatType_422YpCbCr8_yuvs
    case AV_PIX_FMT_BGRA: kCVPixelFormatType_32BGRA
    case AV_PIX_FMT_ARGB: kCVPixelFormatType_32ARGB
    case AV_PIX_FMT_RGBA: kCVPixelFormatType_32RGBA
    case AV_PIX_FMT_ABGR: kCVPixelFormatType_32ABGR
    case AV_PIX_FMT_RGB24: kCVPixelFormatType_24RGB
    case AV_PIX_FMT_BGR24: kCVPixelFormatType_24BGR
    case AV_PIX_FMT_GRAY8: kCVPixelFormatType_OneComponent8
    case AV_PIX_FMT_GRAY16BE: kCVPixelFormatType_16Gray
    default: nil
    }
  }

  /// What a format without a twin at Apple's is converted to, losing nothing where possible.
  static func nearest(to format: AVPixelFormat, isFullRange: Bool) -> OSType? {
    guard let layout = av_pix_fmt_desc_get(format)?.pointee else { return nil }
    let isDeep = layout.comp.0.depth > 8
    let isRGB = layout.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
    let hasAlpha = layout.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    if isRGB || hasAlpha { return isDeep ? kCVPixelFormatType_64RGBALE : kCVPixelFormatType_32BGRA }
    if layout.nb_components < 3 { return isDeep ? kCVPixelFormatType_16Gray : kCVPixelFormatType_OneComponent8 }
    switch (layout.log2_chroma_w, layout.log2_chroma_h) {
    case (0, 0):
      if isDeep {
        return isFullRange
          ? kCVPixelFormatType_444YpCbCr10BiPlanarFullRange : kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange
      }
      return isFullRange
        ? kCVPixelFormatType_444YpCbCr8BiPlanarFullRange : kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange
    case (1, 0):
      if isDeep {
        return isFullRange
          ? kCVPixelFormatType_422YpCbCr10BiPlanarFullRange : kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
      }
      return isFullRange
        ? kCVPixelFormatType_422YpCbCr8BiPlanarFullRange : kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange
    default:
      if isDeep {
        return isFullRange
          ? kCVPixelFormatType_420YpCbCr10BiPlanarFullRange : kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
      }
      return isFullRange ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar
    }
  }

  /// FFmpeg's format with the same bytes, and whether its luma has full range; nil for formats we can't write.
  static func target(_ format: OSType) -> (format: AVPixelFormat, isFullRange: Bool)? { targets[format] }

  private static let targets: [OSType: (AVPixelFormat, Bool)] = [
    kCVPixelFormatType_420YpCbCr8Planar: (AV_PIX_FMT_YUV420P, false),
    kCVPixelFormatType_420YpCbCr8PlanarFullRange: (AV_PIX_FMT_YUV420P, true),
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: (AV_PIX_FMT_NV12, false),
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: (AV_PIX_FMT_NV12, true),
    kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: (AV_PIX_FMT_NV16, false),
    kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: (AV_PIX_FMT_NV16, true),
    kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: (AV_PIX_FMT_NV24, false),
    kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: (AV_PIX_FMT_NV24, true),
    kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: (AV_PIX_FMT_P010LE, false),
    kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: (AV_PIX_FMT_P010LE, true),
    kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: (AV_PIX_FMT_P210LE, false),
    kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: (AV_PIX_FMT_P210LE, true),
    kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange: (AV_PIX_FMT_P410LE, false),
    kCVPixelFormatType_444YpCbCr10BiPlanarFullRange: (AV_PIX_FMT_P410LE, true),
    kCVPixelFormatType_422YpCbCr8: (AV_PIX_FMT_UYVY422, false),
    kCVPixelFormatType_422YpCbCr8_yuvs: (AV_PIX_FMT_YUYV422, false),
    kCVPixelFormatType_32BGRA: (AV_PIX_FMT_BGRA, true), kCVPixelFormatType_32ARGB: (AV_PIX_FMT_ARGB, true),
    kCVPixelFormatType_32RGBA: (AV_PIX_FMT_RGBA, true), kCVPixelFormatType_32ABGR: (AV_PIX_FMT_ABGR, true),
    kCVPixelFormatType_24RGB: (AV_PIX_FMT_RGB24, true), kCVPixelFormatType_24BGR: (AV_PIX_FMT_BGR24, true),
    kCVPixelFormatType_OneComponent8: (AV_PIX_FMT_GRAY8, true),
    kCVPixelFormatType_16Gray: (AV_PIX_FMT_GRAY16BE, true), kCVPixelFormatType_48RGB: (AV_PIX_FMT_RGB48BE, true),
    kCVPixelFormatType_64RGBALE: (AV_PIX_FMT_RGBA64LE, true),
  ]
}
