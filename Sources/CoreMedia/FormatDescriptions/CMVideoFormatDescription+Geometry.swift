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

  /// The part of the picture that is meant to be seen, cut at the picture; all of it when nothing else is said.
  public func cleanAperture(originIsAtTopLeft: Bool) -> CGRect {
    CleanAperture.rect(
      extensionDictionary[kCMFormatDescriptionExtension_CleanAperture] as? CFDictionary, in: wholePicture,
      originIsAtTopLeft: originIsAtTopLeft)
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
