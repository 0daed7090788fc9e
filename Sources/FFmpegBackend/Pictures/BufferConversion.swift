import CFFmpeg
package import CoreVideo
import MediaEngine
package import MediaRuntime

/// Converts pixel buffers that apps bring, whoever made them.
package enum BufferConversion {
  /// - Throws: `conversionFailed` for formats that are unknown here.
  package static func convert(_ buffer: CVPixelBuffer, to format: OSType) throws(MediaError) -> CVPixelBuffer {
    let own = CVPixelBufferGetPixelFormatType(buffer)
    if own == format { return buffer }
    guard let source = PixelFormats.target(own), let target = PixelFormats.target(format), let box = FrameBox() else {
      throw MediaError(.conversionFailed, "The pixel format can't be converted. Use BGRA or 420v.")
    }
    let width = CVPixelBufferGetWidth(buffer)
    let height = CVPixelBufferGetHeight(buffer)
    let result = try PixelBuffers.empty(format, width: width, height: height)
    let frame = box.frame
    frame.pointee.width = Int32(clamping: width)
    frame.pointee.height = Int32(clamping: height)
    frame.pointee.format = source.format.rawValue
    var color = ColorDescription()
    color.isFullRange = source.isFullRange
    if let matrix = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) as? String {
      color.matrix = Int(CVYCbCrMatrixGetIntegerCodePointForString(matrix))
    }
    try buffer.withPlanes { planes throws(MediaError) in
      for (index, plane) in planes.enumerated() where index < 4 {
        let base = plane.baseAddress.assumingMemoryBound(to: UInt8.self)
        withUnsafeMutableBytes(of: &frame.pointee.data) {
          $0.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)[index] = base
        }
        withUnsafeMutableBytes(of: &frame.pointee.linesize) {
          $0.bindMemory(to: Int32.self)[index] = Int32(clamping: plane.bytesPerRow)
        }
      }
      try Scaler.convert(frame, color: color, into: result, format: target.format, isFullRange: target.isFullRange)
    }
    CVBufferPropagateAttachments(buffer, result)
    return result
  }
}
