import CFFmpeg
package import CoreVideo
package import MediaEngine
package import MediaRuntime

/// A decoded picture in the decoder's own memory.
package final class FramePicture: VideoPicture {
  let box: FrameBox
  package let format: VideoFormat
  private let shared = Lock<CVPixelBuffer?>(nil)

  init(_ box: FrameBox, format: VideoFormat) {
    self.box = box
    self.format = format
  }

  package func pixelBuffer() throws(MediaError) -> CVPixelBuffer {
    if let made = shared.withLock({ $0 }) { return made }
    let made = try PixelBuffers.make(of: self)
    return shared.withLock { stored in
      let result = stored ?? made
      stored = result
      return result
    }
  }

  package func pixelBuffer(format: UInt32, width: Int?, height: Int?) throws(MediaError) -> CVPixelBuffer {
    let width = width ?? self.format.width
    let height = height ?? self.format.height
    if width == self.format.width, height == self.format.height {
      let own = try pixelBuffer()
      if CVPixelBufferGetPixelFormatType(own) == format { return own }
    }
    return try PixelBuffers.convert(self, to: format, width: width, height: height)
  }

  package func standardBuffer(width: Int, height: Int) throws(MediaError) -> CVPixelBuffer {
    guard RangeMapper.isNeeded(format.color) else {
      return try pixelBuffer(format: kCVPixelFormatType_32BGRA, width: width, height: height)
    }
    return try RangeMapper.convert(self, width: width, height: height)
  }

  package func checksum() -> UInt64 {
    let digest = Digest()
    ImageBytes.forEachRow(of: box.frame) { digest.add($0) }
    return digest.finish()
  }
}
