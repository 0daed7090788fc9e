/// The part of a picture that is meant to be seen, as a buffer's attachment or a format's extension tells it.
package enum CleanAperture {
  /// Keys of values as a numerator and a denominator, which only formats have.
  package static let widthRational: CFString = "CleanApertureWidthRational"
  package static let heightRational: CFString = "CleanApertureHeightRational"
  package static let horizontalOffsetRational: CFString = "CleanApertureHorizontalOffsetRational"
  package static let verticalOffsetRational: CFString = "CleanApertureVerticalOffsetRational"

  /// Cut at the picture; all of it when nothing is said, what is said makes no sense, or nothing would be left.
  package static func rect(_ aperture: CFDictionary?, in whole: CGRect, originIsAtTopLeft: Bool = true) -> CGRect {
    func value(_ key: CFString, _ rationalKey: CFString) -> CGFloat? {
      rational(aperture?[rationalKey]) ?? aperture?.number(key)
    }
    guard let width = value(kCVImageBufferCleanApertureWidthKey, widthRational), width > 0,
      let height = value(kCVImageBufferCleanApertureHeightKey, heightRational), height > 0
    else { return whole }
    let right = value(kCVImageBufferCleanApertureHorizontalOffsetKey, horizontalOffsetRational) ?? 0
    let down = value(kCVImageBufferCleanApertureVerticalOffsetKey, verticalOffsetRational) ?? 0
    // Offsets lead from the picture's centre to the aperture's, right and down (ISO 14496-12, 12.1.4.1).
    let centerX = whole.midX + right
    let centerY = whole.midY + (originIsAtTopLeft ? down : -down)
    let clean = CGRect(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
      .intersection(whole)
    return clean.isEmpty ? whole : clean
  }

  private static func rational(_ value: Any?) -> CGFloat? {
    guard let parts = value as? [Any], parts.count == 2 else { return nil }
    let terms: [CFString: Any] = ["above": parts[0], "below": parts[1]]
    guard let above = terms.number("above"), let below = terms.number("below"), below != 0 else { return nil }
    return above / below
  }
}
