import CoreGraphics
import Foundation

/// An image's pixels as rows of 32-bit RGBA, not premultiplied: what encoders take.
struct PlainPixels {
  let bytes: [UInt8]
  let hasAlpha: Bool

  /// Nil for layouts other than 8 bits a component with 1, 3 or 4 of them.
  init?(_ image: CGImage) {
    guard image.bitsPerComponent == 8, [8, 24, 32].contains(image.bitsPerPixel), let data = image.dataProvider?.data,
      image.width > 0, image.height > 0
    else { return nil }
    let step = image.bitsPerPixel / 8
    let alpha = image.alphaInfo
    hasAlpha = step == 4 && ![.none, .noneSkipFirst, .noneSkipLast].contains(alpha)
    let isPremultiplied = alpha == .premultipliedFirst || alpha == .premultipliedLast
    let places = Self.places(step, alpha, isLittle: image.byteOrderInfo == .order32Little)
    var result = [UInt8](repeating: 255, count: image.width * image.height * 4)
    let source = [UInt8](data)
    for row in 0..<image.height {
      for column in 0..<image.width {
        let from = row * image.bytesPerRow + column * step
        guard from + step <= source.count else { return nil }
        let to = (row * image.width + column) * 4
        let a = hasAlpha ? source[from + places.alpha] : 255
        for (component, place) in [places.red, places.green, places.blue].enumerated() {
          let value = source[from + place]
          result[to + component] = isPremultiplied && a > 0 ? UInt8(min(Int(value) * 255 / Int(a), 255)) : value
        }
        result[to + 3] = a
      }
    }
    bytes = result
  }

  /// Offsets of the components in a pixel's bytes.
  private static func places(_ step: Int, _ alpha: CGImageAlphaInfo, isLittle: Bool)
    -> (red: Int, green: Int, blue: Int, alpha: Int)
  {
    guard step > 1 else { return (0, 0, 0, 0) }
    guard step == 4 else { return (0, 1, 2, 0) }
    let isFirst = [.first, .premultipliedFirst, .noneSkipFirst].contains(alpha)
    let big = isFirst ? (red: 1, green: 2, blue: 3, alpha: 0) : (red: 0, green: 1, blue: 2, alpha: 3)
    return isLittle ? (3 - big.red, 3 - big.green, 3 - big.blue, 3 - big.alpha) : big
  }
}
