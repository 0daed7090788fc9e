import AVFoundation
import Foundation

/// A sheet that pictures are laid on: 32-bit BGRA, black where nothing lies.
struct ImageCanvas {
  let width: Int
  let height: Int
  private var bytes: Data

  /// Nil for sizes that no picture file has.
  init?(width: Int, height: Int) {
    guard (1...32_768).contains(width), (1...32_768).contains(height), width * height <= 1 << 28 else { return nil }
    self.width = width
    self.height = height
    bytes = Data(count: width * height * 4)
  }

  /// Lays a picture with its upper left corner at a place; what lies beyond the edge is cut.
  mutating func draw(_ image: CGImage, x: Int, y: Int) {
    guard let source = image.dataProvider?.data, image.bitsPerPixel == 32, x >= 0, y >= 0 else { return }
    let columns = min(image.width, width - x)
    guard columns > 0 else { return }
    for row in 0..<max(min(image.height, height - y), 0) {
      let from = source.startIndex + row * image.bytesPerRow
      let to = ((y + row) * width + x) * 4
      guard from + columns * 4 <= source.endIndex else { return }
      bytes.replaceSubrange(to..<to + columns * 4, with: source[from..<from + columns * 4])
    }
  }

  var image: CGImage? {
    guard let space = CGColorSpace(name: CGColorSpace.sRGB), let provider = CGDataProvider(data: bytes) else {
      return nil
    }
    return CGImage(
      width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4, space: space,
      bitmapInfo: CGBitmapInfo(
        rawValue: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.noneSkipFirst.rawValue),
      provider: provider,
      decode: nil, shouldInterpolate: true, intent: .defaultIntent)
  }
}

extension CGImage {
  /// How much there is to see: the mean brightness and its spread, 0…255. Other layouts than 32-bit BGRA have none.
  var liveliness: (mean: Double, spread: Double) {
    guard let data = dataProvider?.data, bitsPerPixel == 32, width > 0, height > 0 else { return (0, 0) }
    var (sum, squares, count) = (0.0, 0.0, 0.0)
    let step = max(width * height / 10_000, 1)
    for place in stride(from: 0, to: width * height, by: step) {
      let offset = data.startIndex + place / width * bytesPerRow + place % width * 4
      guard offset + 2 < data.endIndex else { break }
      let light = 0.0722 * Double(data[offset]) + 0.7152 * Double(data[offset + 1]) + 0.2126 * Double(data[offset + 2])
      sum += light
      squares += light * light
      count += 1
    }
    guard count > 0 else { return (0, 0) }
    let mean = sum / count
    return (mean, max(squares / count - mean * mean, 0).squareRoot())
  }
}
