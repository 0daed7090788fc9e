/// A cue's text as it will be seen, before it has its place in the picture. Places count from where the lines' box begins
/// in the picture if that stood at its upper edge: the text's own left edge is where it belongs already.
struct TextBlock {
  /// The lines, from the first one's ascent to the last one's descent.
  var lines: PixelRect
  /// What is drawn: outlines and shadows reach beyond the lines.
  var bounds: PixelRect
  /// Premultiplied, of `bounds`.
  var pixels: [UInt8]

  /// A quarter turn clockwise: lines that lay below each other lie from right to left, within `extent` pixels.
  func turned(extent: Int) -> TextBlock {
    var pixels = [UInt8](repeating: 0, count: self.pixels.count)
    let (width, height) = (bounds.width, bounds.height)
    self.pixels.withUnsafeBytes { source in
      pixels.withUnsafeMutableBytes { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        for y in 0..<height {
          for x in 0..<width {
            let pixel = source.loadUnaligned(fromByteOffset: (y * width + x) * 4, as: UInt32.self)
            target.storeBytes(of: pixel, toByteOffset: (x * height + height - 1 - y) * 4, as: UInt32.self)
          }
        }
      }
    }
    func turn(_ rect: PixelRect) -> PixelRect {
      PixelRect(x: extent - rect.bottom, y: rect.x, width: rect.height, height: rect.width)
    }
    return TextBlock(lines: turn(lines), bounds: turn(bounds), pixels: pixels)
  }
}
