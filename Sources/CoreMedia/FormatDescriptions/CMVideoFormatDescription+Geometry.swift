extension CMFormatDescription {
  /// The size to show: the clean aperture, or the whole picture, widened by the pixel aspect ratio. Not rounded.
  public func presentationDimensions(usePixelAspectRatio: Bool = true, useCleanAperture: Bool = true) -> CGSize {
    var size = useCleanAperture ? cleanAperture(originIsAtTopLeft: true).size : wholePicture.size
    let ratio = extensionDictionary[kCMFormatDescriptionExtension_PixelAspectRatio] as? CFDictionary
    if usePixelAspectRatio,
      let horizontal = number(ratio?[kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing]), horizontal > 0,
      let vertical = number(ratio?[kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing]), vertical > 0
    {
      size.width *= horizontal / vertical
    }
    return size
  }

  /// The part of the picture that is meant to be seen; all of it when nothing else is said.
  public func cleanAperture(originIsAtTopLeft: Bool) -> CGRect {
    let aperture = extensionDictionary[kCMFormatDescriptionExtension_CleanAperture] as? CFDictionary
    func value(_ key: CFString, _ rationalKey: CFString) -> CGFloat? {
      rational(aperture?[rationalKey]) ?? number(aperture?[key])
    }
    guard
      let width = value(
        kCMFormatDescriptionKey_CleanApertureWidth, kCMFormatDescriptionKey_CleanApertureWidthRational), width > 0,
      let height = value(
        kCMFormatDescriptionKey_CleanApertureHeight, kCMFormatDescriptionKey_CleanApertureHeightRational), height > 0
    else { return wholePicture }
    let right =
      value(
        kCMFormatDescriptionKey_CleanApertureHorizontalOffset,
        kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational) ?? 0
    let down =
      value(
        kCMFormatDescriptionKey_CleanApertureVerticalOffset,
        kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational) ?? 0
    // Offsets lead from the picture's centre to the aperture's, right and down (ISO 14496-12, 12.1.4.1).
    let centerX = wholePicture.midX + right
    let centerY = wholePicture.midY + (originIsAtTopLeft ? down : -down)
    return CGRect(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
  }

  private var wholePicture: CGRect {
    CGRect(x: 0, y: 0, width: CGFloat(dimensions.width), height: CGFloat(dimensions.height))
  }
}

/// Finite, or nil.
private func number(_ value: Any?) -> CGFloat? {
  guard let number = (value as? NSNumber)?.doubleValue, number.isFinite else { return nil }
  return CGFloat(number)
}

/// A numerator and a denominator.
private func rational(_ value: Any?) -> CGFloat? {
  guard let parts = value as? [Any], parts.count == 2, let above = number(parts[0]), let below = number(parts[1]),
    below != 0
  else { return nil }
  return above / below
}

public func CMVideoFormatDescriptionGetPresentationDimensions(
  _ videoDesc: CMVideoFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
) -> CGSize {
  videoDesc.presentationDimensions(usePixelAspectRatio: usePixelAspectRatio, useCleanAperture: useCleanAperture)
}

public func CMVideoFormatDescriptionGetCleanAperture(
  _ videoDesc: CMVideoFormatDescription, originIsAtTopLeft: Bool
) -> CGRect {
  videoDesc.cleanAperture(originIsAtTopLeft: originIsAtTopLeft)
}
