/// A rectangle of whole pixels, from the upper left corner; empty when a side is not positive.
package struct PixelRect: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var isEmpty: Bool { width <= 0 || height <= 0 }
  package var right: Int { x + width }
  package var bottom: Int { y + height }

  package func intersection(_ other: PixelRect) -> PixelRect {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return PixelRect(
      x: left, y: top, width: max(min(right, other.right) - left, 0), height: max(min(bottom, other.bottom) - top, 0))
  }

  package func intersects(_ other: PixelRect) -> Bool { !intersection(other).isEmpty }

  /// The smallest that holds both; an empty one adds nothing.
  package func union(_ other: PixelRect) -> PixelRect {
    guard !isEmpty else { return other }
    guard !other.isEmpty else { return self }
    let (left, top) = (min(x, other.x), min(y, other.y))
    return PixelRect(
      x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
  }

  static let zero = PixelRect(x: 0, y: 0, width: 0, height: 0)

  package func offset(x dx: Int, y dy: Int) -> PixelRect {
    PixelRect(x: x + dx, y: y + dy, width: width, height: height)
  }
}
