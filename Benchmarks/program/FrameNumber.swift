import AVFoundation

/// The frame number that `frame_code` of Fixtures/lib.sh burnt into a clip: 16 bars, bits above and opposites below.
enum FrameNumber {
  static func read(_ buffer: CVPixelBuffer) -> Int? {
    guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard CVPixelBufferIsPlanar(buffer), let luma = CVPixelBufferGetBaseAddressOfPlane(buffer, 0) else { return nil }
    let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
    let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(buffer, 0)
    var number = 0
    for bit in 0..<16 {
      let x = (2 * bit + 1) * width / 32
      let upper = Int(luma.load(fromByteOffset: height / 20 * bytesPerRow + x, as: UInt8.self))
      let lower = Int(luma.load(fromByteOffset: 3 * height / 20 * bytesPerRow + x, as: UInt8.self))
      guard abs(upper - lower) >= 60 else { return nil }
      number = number << 1 | (upper > lower ? 1 : 0)
    }
    return number
  }
}
