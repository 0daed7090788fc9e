package import CoreVideo

extension FrameCode {
  /// Reads the code of a pixel buffer: planar and biplanar 4:2:0 of 8 or 10 bits, or 32-bit BGRA, RGBA, ARGB, ABGR.
  /// Nil when there is no code or the format is another one.
  package static func read(_ buffer: CVPixelBuffer) -> Int? {
    guard let sample = BrightSample(CVPixelBufferGetPixelFormatType(buffer)) else { return nil }
    guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let width = CVPixelBufferGetWidth(buffer)
    let height = CVPixelBufferGetHeight(buffer)
    let isPlanar = CVPixelBufferIsPlanar(buffer)
    let base = isPlanar ? CVPixelBufferGetBaseAddressOfPlane(buffer, 0) : CVPixelBufferGetBaseAddress(buffer)
    let bytesPerRow = isPlanar ? CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) : CVPixelBufferGetBytesPerRow(buffer)
    guard let base, bytesPerRow >= width * sample.stride else { return nil }
    return read(width: width, height: height) { x, y in
      Int(base.load(fromByteOffset: y * bytesPerRow + x * sample.stride + sample.offset, as: UInt8.self))
    }
  }
}

/// Where a pixel's brightness lies: the luma byte, luma's upper byte, or the green byte.
private struct BrightSample {
  let stride: Int
  let offset: Int

  init?(_ format: OSType) {
    switch format {
    case kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
      (stride, offset) = (1, 0)
    case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange:
      (stride, offset) = (2, 1)
    case kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA: (stride, offset) = (4, 1)
    case kCVPixelFormatType_32ARGB, kCVPixelFormatType_32ABGR: (stride, offset) = (4, 2)
    default: return nil
    }
  }
}
