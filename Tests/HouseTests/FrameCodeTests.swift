import CoreVideo
import MediaTestSupport
import Testing

struct FrameCodeTests {
  /// Brightness of the picture that `frame_code` of Fixtures/lib.sh draws.
  private func drawn(_ number: Int, width: Int, height: Int, x: Int, y: Int) -> Int {
    let isSet = number >> (15 - x * 16 / width) & 1 == 1
    if y < height / 10 { return isSet ? 235 : 16 }
    if y < height / 5 { return isSet ? 16 : 235 }
    return 128
  }

  @Test(arguments: [0, 1, 0x5555, 0xAAAA, 299, 65_535])
  func drawnNumberIsRead(number: Int) {
    for (width, height) in [(64, 64), (320, 180), (1920, 1080), (241, 99)] {
      #expect(
        FrameCode.read(width: width, height: height) { x, y in
          drawn(number, width: width, height: height, x: x, y: y)
        } == number)
    }
  }

  @Test func pictureWithoutCodeReadsAsNil() {
    #expect(FrameCode.read(width: 320, height: 180) { _, _ in 128 } == nil)
    #expect(FrameCode.read(width: 320, height: 180) { x, _ in x % 256 } == nil)
    #expect(FrameCode.read(width: 8, height: 8) { _, _ in 255 } == nil)
  }

  @Test func pixelBuffersOfEachFormatAreRead() throws {
    for (format, stride, offset) in [
      (kCVPixelFormatType_420YpCbCr8Planar, 1, 0), (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, 2, 1),
      (kCVPixelFormatType_32BGRA, 4, 1),
    ] {
      var made: CVPixelBuffer?
      #expect(CVPixelBufferCreate(nil, 64, 64, format, nil, &made) == kCVReturnSuccess)
      let buffer = try #require(made)
      #expect(CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess)
      let isPlanar = CVPixelBufferIsPlanar(buffer)
      let base = try #require(
        isPlanar ? CVPixelBufferGetBaseAddressOfPlane(buffer, 0) : CVPixelBufferGetBaseAddress(buffer))
      let bytesPerRow = isPlanar ? CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) : CVPixelBufferGetBytesPerRow(buffer)
      for y in 0..<64 {
        for x in 0..<64 {
          base.storeBytes(
            of: UInt8(drawn(1234, width: 64, height: 64, x: x, y: y)),
            toByteOffset: y * bytesPerRow + x * stride + offset,
            as: UInt8.self)
        }
      }
      CVPixelBufferUnlockBaseAddress(buffer, [])
      #expect(FrameCode.read(buffer) == 1234)
    }
  }
}
