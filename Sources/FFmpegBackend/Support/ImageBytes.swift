import CFFmpeg

/// The visible bytes of a picture's planes, row by row.
enum ImageBytes {
  /// Calls `body` with each row of each plane, in order; a palette comes last.
  /// - Returns: false when the format has no rows in memory (a hardware surface, an unknown number).
  @discardableResult
  static func forEachRow(of frame: UnsafePointer<AVFrame>, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    let format = AVPixelFormat(frame.pointee.format)
    guard let layout = av_pix_fmt_desc_get(format), layout.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0,
      frame.pointee.width > 0, frame.pointee.height > 0
    else { return false }
    let planes = Int(av_pix_fmt_count_planes(format))
    guard planes > 0 else { return false }
    let isPaletted = layout.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
    for plane in 0..<planes {
      guard let base = self.plane(frame, plane) else { return false }
      let isChroma = plane == 1 || plane == 2
      let shift = isChroma ? Int32(layout.pointee.log2_chroma_h) : 0
      let rows = -((-frame.pointee.height) >> shift)
      let rowBytes = Int(av_image_get_linesize(format, frame.pointee.width, Int32(plane)))
      guard rowBytes > 0 else { continue }
      let stride = self.stride(frame, plane)
      for row in 0..<Int(rows) {
        body(UnsafeRawBufferPointer(start: base + row * stride, count: rowBytes))
      }
    }
    if isPaletted, let palette = self.plane(frame, 1) {
      body(UnsafeRawBufferPointer(start: palette, count: 1_024))
    }
    return true
  }

  static func plane(_ frame: UnsafePointer<AVFrame>, _ index: Int) -> UnsafeMutablePointer<UInt8>? {
    let data = frame.pointee.data
    return switch index {
    case 0: data.0
    case 1: data.1
    case 2: data.2
    case 3: data.3
    default: nil
    }
  }

  static func stride(_ frame: UnsafePointer<AVFrame>, _ index: Int) -> Int {
    let strides = frame.pointee.linesize
    return switch index {
    case 0: Int(strides.0)
    case 1: Int(strides.1)
    case 2: Int(strides.2)
    case 3: Int(strides.3)
    default: 0
    }
  }
}
