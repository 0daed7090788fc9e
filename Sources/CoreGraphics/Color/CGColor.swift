/// A colour: components in a colour space, and alpha. Immutable.
public final class CGColor: Sendable {
  private let space: CGColorSpace
  /// The space's components, then alpha.
  private let values: [CGFloat]

  /// Reads as many components as the space has, then alpha.
  public init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) {
    self.space = space
    values = Array(UnsafeBufferPointer(start: components, count: space.numberOfComponents + 1))
  }

  private init(_ space: CGColorSpace, _ values: [CGFloat]) {
    self.space = space
    self.values = values
  }

  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(CGColor.space(CGColorSpace.sRGB), [red, green, blue, alpha])
  }

  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  public convenience init(gray: CGFloat, alpha: CGFloat) {
    self.init(CGColor.space(CGColorSpace.genericGrayGamma2_2), [gray, alpha])
  }

  public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
    self.init(gray: gray, alpha: alpha)
  }

  private static func space(_ name: CFString) -> CGColorSpace {
    CGColorSpace(name: name) ?? CGColorSpaceCreateDeviceRGB()
  }

  public static let black = CGColor(gray: 0, alpha: 1)
  public static let white = CGColor(gray: 1, alpha: 1)
  public static let clear = CGColor(gray: 0, alpha: 0)
}

extension CGColor {
  public var colorSpace: CGColorSpace? { space }
  public var numberOfComponents: Int { values.count }
  /// Alpha is the last.
  public var components: [CGFloat]? { values }
  public var alpha: CGFloat { values.last ?? 1 }

  public func copy() -> CGColor? {
    self
  }

  public func copy(alpha: CGFloat) -> CGColor? {
    CGColor(space, values.dropLast() + [alpha])
  }
}

extension CGColor: Hashable {
  public static func == (left: CGColor, right: CGColor) -> Bool {
    left.space == right.space && left.values == right.values
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(space)
    hasher.combine(values)
  }
}
