/// Width and height in pixels as stored.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
  CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

/// The size to show: the display dimensions attached, else the clean aperture widened by the pixel aspect ratio.
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
  let attached = imageBuffer.dictionary(kCVImageBufferDisplayDimensionsKey)
  if let width = attached?.number(kCVImageBufferDisplayWidthKey), width > 0,
    let height = attached?.number(kCVImageBufferDisplayHeightKey), height > 0
  {
    return CGSize(width: width, height: height)
  }
  var size = CVImageBufferGetCleanRect(imageBuffer).size
  let ratio = imageBuffer.dictionary(kCVImageBufferPixelAspectRatioKey)
  if let horizontal = ratio?.number(kCVImageBufferPixelAspectRatioHorizontalSpacingKey), horizontal > 0,
    let vertical = ratio?.number(kCVImageBufferPixelAspectRatioVerticalSpacingKey), vertical > 0
  {
    size.width *= horizontal / vertical
  }
  return size
}

/// The part of the picture that is meant to be seen, in stored pixels; all of it when none is attached or none is left.
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
  let whole = CGRect(origin: .zero, size: CVImageBufferGetEncodedSize(imageBuffer))
  return CleanAperture.rect(imageBuffer.dictionary(kCVImageBufferCleanApertureKey), in: whole)
}

/// True when the first row is the top one, as it always is here.
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool {
  true
}

extension CVBuffer {
  func dictionary(_ key: CFString) -> CFDictionary? {
    let value = attachments.withLock { $0[key]?.value }
    if let dictionary = value as? CFDictionary { return dictionary }
    return (value as? NSDictionary) as? CFDictionary
  }
}

extension [CFString: Any] {
  /// Finite, or nil.
  func number(_ key: CFString) -> CGFloat? {
    let number: Double? =
      switch self[key] {
      case let value as NSNumber: value.doubleValue
      case let value as any BinaryInteger: Double(value)
      case let value as any BinaryFloatingPoint: Double(value)
      default: nil
      }
    guard let number, number.isFinite else { return nil }
    return CGFloat(number)
  }
}
