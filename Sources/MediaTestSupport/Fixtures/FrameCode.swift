/// The frame number that the fixtures carry in their pixels: 16 bits, most significant first, as bars over the whole
/// width. The upper tenth of the picture holds the bits (white = 1), the next tenth their opposites; a picture without
/// a code therefore reads as nil and not as some number. `Fixtures/lib.sh` draws it.
package enum FrameCode {
  package static let bitCount = 16

  /// Difference that the two rows of a cell must show, of 255.
  private static let contrast = 60

  /// Reads the code of a picture that `brightness(x, y)` (0–255) shows; nil when there is none.
  package static func read(width: Int, height: Int, brightness: (_ x: Int, _ y: Int) -> Int) -> Int? {
    guard width >= 2 * bitCount, height >= 20 else { return nil }
    var number = 0
    for bit in 0..<bitCount {
      let x = (2 * bit + 1) * width / (2 * bitCount)
      let upper = brightness(x, height / 20)
      let lower = brightness(x, 3 * height / 20)
      guard abs(upper - lower) >= contrast else { return nil }
      number = number << 1 | (upper > lower ? 1 : 0)
    }
    return number
  }

  /// Reads the code of a luma plane.
  /// - Parameter bytesPerSample: 1; or 2 for little-endian samples of 16 bits whose upper byte counts (`x420`).
  package static func read(
    luma: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int, bytesPerSample: Int = 1
  ) -> Int? {
    guard height > 0, luma.count >= bytesPerRow * (height - 1) + width * bytesPerSample else { return nil }
    return read(width: width, height: height) { x, y in
      Int(luma[y * bytesPerRow + x * bytesPerSample + (bytesPerSample - 1)])
    }
  }
}
