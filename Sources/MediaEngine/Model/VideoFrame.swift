package import CoreMedia
package import CoreVideo
package import MediaIO

/// A decoded picture with its time. The picture is shared by reference: system memory or a hardware surface.
package struct VideoFrame: Sendable {
  /// Ticks of `timeBase` in item time.
  package var presentationTime: Int64
  /// Ticks; 0 when unknown.
  package var duration: Int64
  package var timeBase: TimeBase
  package var generation: Generation
  package var isKeyframe: Bool
  package var picture: any VideoPicture

  package init(
    presentationTime: Int64, duration: Int64, timeBase: TimeBase, generation: Generation, isKeyframe: Bool = false,
    picture: any VideoPicture
  ) {
    self.presentationTime = presentationTime
    self.duration = duration
    self.timeBase = timeBase
    self.generation = generation
    self.isKeyframe = isKeyframe
    self.picture = picture
  }

  /// Item time of the frame, exact.
  package var time: CMTime { timeBase.time(presentationTime) }
}

/// A decoded picture's storage. Any thread may read it; nobody writes it.
package protocol VideoPicture: AnyObject, Sendable {
  var format: VideoFormat { get }

  /// The picture as Apple's type, made once and shared: no copy where Apple has the decoder's format
  /// (8-bit planar → `y420`), one conversion else (10-bit planar → `x420`).
  /// - Throws: `conversionFailed` when the format can't be expressed.
  func pixelBuffer() throws -> CVPixelBuffer

  /// A converted copy in one of Apple's pixel formats, scaled when a size is given (both ≥ 1).
  func pixelBuffer(format: UInt32, width: Int?, height: Int?) throws -> CVPixelBuffer

  /// A scaled copy in 32-bit BGRA as an sRGB display shows it: high dynamic range is mapped to the standard one, wide
  /// gamut brought into BT.709. Both sides ≥ 1.
  func standardBuffer(width: Int, height: Int) throws -> CVPixelBuffer

  /// The first 64 bits of MD5 over the visible bytes of all planes, row by row, for tests and conformance. Fakes may
  /// hash otherwise.
  func checksum() -> UInt64
}

extension VideoPicture {
  package func standardBuffer(width: Int, height: Int) throws -> CVPixelBuffer {
    try pixelBuffer(format: kCVPixelFormatType_32BGRA, width: width, height: height)
  }
}

extension ColorDescription {
  /// SMPTE ST 2084 or hybrid log-gamma (ITU-R BT.2100).
  package var isHighDynamicRange: Bool { transfer == 16 || transfer == 18 }
}
