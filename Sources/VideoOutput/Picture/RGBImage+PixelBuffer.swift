package import CoreVideo

/// A quarter turn or mirror between stored and shown picture, as a track's transform asks for.
package enum PictureOrientation: Hashable, Sendable {
  case up, right, down, left
  case upMirrored, rightMirrored, downMirrored, leftMirrored

  /// Width and height change places.
  package var isTurned: Bool {
    switch self {
    case .right, .left, .rightMirrored, .leftMirrored: true
    case .up, .down, .upMirrored, .downMirrored: false
    }
  }

  /// From the linear part of an affine transform; what is not a multiple of a quarter turn is shown as stored.
  package init(a: Double, b: Double, c: Double, d: Double) {
    func sign(_ value: Double) -> Int { value > 0.5 ? 1 : value < -0.5 ? -1 : 0 }
    switch (sign(a), sign(b), sign(c), sign(d)) {
    case (0, 1, -1, 0): self = .right
    case (-1, 0, 0, -1): self = .down
    case (0, -1, 1, 0): self = .left
    case (-1, 0, 0, 1): self = .upMirrored
    case (1, 0, 0, -1): self = .downMirrored
    case (0, 1, 1, 0): self = .leftMirrored
    case (0, -1, -1, 0): self = .rightMirrored
    default: self = .up
    }
  }
}

extension RGBImage {
  /// Copies a `32BGRA` buffer, turned upright.
  /// - Returns: nil for another pixel format or a buffer that can't be read.
  package init?(bgra buffer: CVPixelBuffer, orientation: PictureOrientation = .up) {
    guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA,
      CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess
    else { return nil }
    defer { _ = CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddress(buffer) else { return nil }
    let storedWidth = CVPixelBufferGetWidth(buffer)
    let storedHeight = CVPixelBufferGetHeight(buffer)
    let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
    guard storedWidth > 0, storedHeight > 0, rowBytes >= storedWidth * 4 else { return nil }
    let source = UnsafeRawBufferPointer(start: base, count: rowBytes * (storedHeight - 1) + storedWidth * 4)
    let shownWidth = orientation.isTurned ? storedHeight : storedWidth
    let shownHeight = orientation.isTurned ? storedWidth : storedHeight
    width = shownWidth
    height = shownHeight
    bytes = [UInt8](unsafeUninitializedCapacity: shownWidth * shownHeight * 3) { target, count in
      var offset = 0
      for y in 0..<shownHeight {
        for x in 0..<shownWidth {
          let (column, row) = orientation.stored(x: x, y: y, width: storedWidth, height: storedHeight)
          let pixel = row * rowBytes + column * 4
          target[offset] = source[pixel + 2]
          target[offset + 1] = source[pixel + 1]
          target[offset + 2] = source[pixel]
          offset += 3
        }
      }
      count = offset
    }
  }
}

extension PictureOrientation {
  /// Where a shown pixel stands in the stored picture of the given size.
  fileprivate func stored(x: Int, y: Int, width: Int, height: Int) -> (column: Int, row: Int) {
    switch self {
    case .up: (x, y)
    case .down: (width - 1 - x, height - 1 - y)
    case .right: (y, height - 1 - x)
    case .left: (width - 1 - y, x)
    case .upMirrored: (width - 1 - x, y)
    case .downMirrored: (x, height - 1 - y)
    case .leftMirrored: (y, x)
    case .rightMirrored: (width - 1 - y, height - 1 - x)
    }
  }
}
