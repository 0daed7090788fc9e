import CoreGraphics
import CoreVideo

/// One of the eight ways in which a picture can stand: quarter turns and mirrorings. Other transforms count as upright.
struct PictureTurn: Hashable, Sendable {
  /// Columns and rows of the matrix from stored to shown places, each -1, 0 or 1; places count from the upper left.
  var a = 1
  var b = 0
  var c = 0
  var d = 1

  static let upright = PictureTurn()

  init() {}

  init(_ transform: CGAffineTransform) {
    let values = [transform.a, transform.b, transform.c, transform.d].map { value in
      value.isFinite && abs(value) < 2 ? Int(value.rounded()) : 2
    }
    let isTurn = values[0] * values[3] - values[1] * values[2]
    guard abs(isTurn) == 1, abs(values[0]) + abs(values[2]) == 1, abs(values[1]) + abs(values[3]) == 1 else { return }
    (a, b, c, d) = (values[0], values[1], values[2], values[3])
  }

  var swapsSides: Bool { a == 0 }

  /// The picture as it is shown.
  /// - Parameter pixelBytes: bytes of a pixel, in a format of one plane.
  func applied(to buffer: CVPixelBuffer, pixelBytes: Int) -> CVPixelBuffer? {
    guard self != .upright else { return buffer }
    let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
    let (shownWidth, shownHeight) = swapsSides ? (height, width) : (width, height)
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, shownWidth, shownHeight, CVPixelBufferGetPixelFormatType(buffer), nil, &made)
    guard let made, CVPixelBufferLockBaseAddress(made, []) == kCVReturnSuccess else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(made, []) }
    guard let target = CVPixelBufferGetBaseAddress(made) else { return nil }
    let targetRow = CVPixelBufferGetBytesPerRow(made)
    let left = a < 0 || c < 0 ? shownWidth - 1 : 0
    let top = b < 0 || d < 0 ? shownHeight - 1 : 0
    return buffer.withPlanes { planes -> CVPixelBuffer? in
      guard let source = planes.first else { return nil }
      let step = a * pixelBytes + b * targetRow
      for row in 0..<height {
        var from = UnsafeRawPointer(source.baseAddress + row * source.bytesPerRow)
        var to = target + (left + c * row) * pixelBytes + (top + d * row) * targetRow
        for _ in 0..<width {
          to.copyMemory(from: from, byteCount: pixelBytes)
          from += pixelBytes
          to += step
        }
      }
      return made
    }
  }
}
