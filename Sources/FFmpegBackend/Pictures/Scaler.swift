import CFFmpeg
import CoreVideo
import MediaEngine
import MediaRuntime

/// Converts pictures with libswscale. Contexts are kept for the next picture of the same kind.
enum Scaler {
  /// A context, used by one caller at a time.
  private struct Context: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private static let kept = Lock<[Context]>([])
  private static let keptLimit = 4

  static func convert(
    _ frame: UnsafePointer<AVFrame>, color: ColorDescription, into buffer: CVPixelBuffer, format: AVPixelFormat,
    isFullRange: Bool
  ) throws(MediaError) {
    guard CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess else { throw .outOfMemory }
    defer { _ = CVPixelBufferUnlockBaseAddress(buffer, []) }
    var planes: [UnsafeMutablePointer<UInt8>?] = [nil, nil, nil, nil]
    var strides: [Int32] = [0, 0, 0, 0]
    let count = max(CVPixelBufferGetPlaneCount(buffer), 1)
    for index in 0..<min(count, 4) {
      let isPlanar = CVPixelBufferIsPlanar(buffer)
      let base = isPlanar ? CVPixelBufferGetBaseAddressOfPlane(buffer, index) : CVPixelBufferGetBaseAddress(buffer)
      planes[index] = base?.assumingMemoryBound(to: UInt8.self)
      strides[index] = Int32(
        clamping: isPlanar ? CVPixelBufferGetBytesPerRowOfPlane(buffer, index) : CVPixelBufferGetBytesPerRow(buffer))
    }
    try convert(
      frame, color: color, planes: planes, strides: strides, format: format, isFullRange: isFullRange,
      width: Int32(clamping: CVPixelBufferGetWidth(buffer)), height: Int32(clamping: CVPixelBufferGetHeight(buffer)))
  }

  static func convert(
    _ frame: UnsafePointer<AVFrame>, color: ColorDescription, planes: [UnsafeMutablePointer<UInt8>?], strides: [Int32],
    format: AVPixelFormat, isFullRange: Bool, width: Int32, height: Int32
  ) throws(MediaError) {
    let library = try ScalerLibrary.open()
    let source = plainFormat(AVPixelFormat(frame.pointee.format))
    let reused = kept.withLock { $0.popLast() }
    let sameSize = width == frame.pointee.width && height == frame.pointee.height
    let method = sameSize ? SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT : SWS_BICUBIC | SWS_ACCURATE_RND
    // A kept context of another kind is freed inside.
    let made = library.makeContext(
      reused?.pointer, frame.pointee.width, frame.pointee.height, source, width, height, format, method, nil, nil, nil)
    guard let made else {
      throw MediaError(
        .conversionFailed,
        "The picture can't be converted to the pixel format that was asked for. Ask for BGRA.")
    }
    let table = library.coefficients(coefficients(color, height: frame.pointee.height))
    _ = library.setColor(made, table, color.isFullRange ? 1 : 0, table, isFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
    let data = frame.pointee.data
    let sourcePlanes: [UnsafePointer<UInt8>?] = [
      UnsafePointer(data.0), UnsafePointer(data.1), UnsafePointer(data.2), UnsafePointer(data.3),
    ]
    let lines = frame.pointee.linesize
    let rows = library.scale(
      made, sourcePlanes, [lines.0, lines.1, lines.2, lines.3], 0, frame.pointee.height, planes, strides)
    keep(Context(pointer: made), library)
    guard rows > 0 else {
      throw MediaError(
        .conversionFailed,
        "The picture could not be converted to the pixel format that was asked for. Ask for BGRA.", status: rows)
    }
  }

  private static func keep(_ context: Context, _ library: ScalerLibrary) {
    let surplus = kept.withLock { kept -> Context? in
      guard kept.count < keptLimit else { return context }
      kept.append(context)
      return nil
    }
    if let surplus { library.freeContext(surplus.pointer) }
  }

  /// The deprecated full-range twins say by format what the range says already.
  private static func plainFormat(_ format: AVPixelFormat) -> AVPixelFormat {
    switch format {
    case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
    case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
    case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
    case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUV440P
    default: format
    }
  }

  /// Undeclared pictures of high definition are BT.709, others BT.601.
  private static func coefficients(_ color: ColorDescription, height: Int32) -> Int32 {
    switch color.matrix {
    case 1: SWS_CS_ITU709
    case 4: SWS_CS_FCC
    case 5, 6: SWS_CS_ITU601
    case 7: SWS_CS_SMPTE240M
    case 9, 10: SWS_CS_BT2020
    default: height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601
    }
  }
}
