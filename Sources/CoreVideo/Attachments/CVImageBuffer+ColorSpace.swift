/// The colour space attached to the picture itself, not one derived from its colour attachments.
public func CVImageBufferGetColorSpace(_ imageBuffer: CVImageBuffer) -> Unmanaged<CGColorSpace>? {
  let value = imageBuffer.attachments.withLock { $0[kCVImageBufferCGColorSpaceKey]?.value }
  return (value as? CGColorSpace).map { Unmanaged.passUnretained($0) }
}

/// A colour space for primaries and transfer function of the attachments; nil when they say too little.
public func CVImageBufferCreateColorSpaceFromAttachments(_ attachments: CFDictionary) -> Unmanaged<CGColorSpace>? {
  colorSpaceName(
    primaries: attachments[kCVImageBufferColorPrimariesKey] as? String,
    transfer: attachments[kCVImageBufferTransferFunctionKey] as? String
  ).flatMap { CGColorSpace(name: $0) }.map { Unmanaged.passRetained($0) }
}

private func colorSpaceName(primaries: String?, transfer: String?) -> CFString? {
  switch (primaries, transfer) {
  case (kCVImageBufferColorPrimaries_ITU_R_2020, kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ):
    CGColorSpace.itur_2100_PQ
  case (kCVImageBufferColorPrimaries_ITU_R_2020, kCVImageBufferTransferFunction_ITU_R_2100_HLG):
    CGColorSpace.itur_2100_HLG
  case (kCVImageBufferColorPrimaries_ITU_R_2020, _): CGColorSpace.itur_2020
  case (kCVImageBufferColorPrimaries_P3_D65, kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ):
    CGColorSpace.displayP3_PQ
  case (kCVImageBufferColorPrimaries_P3_D65, kCVImageBufferTransferFunction_ITU_R_2100_HLG):
    CGColorSpace.displayP3_HLG
  case (kCVImageBufferColorPrimaries_P3_D65, _): CGColorSpace.displayP3
  case (kCVImageBufferColorPrimaries_DCI_P3, _): CGColorSpace.dcip3
  case (kCVImageBufferColorPrimaries_ITU_R_709_2, kCVImageBufferTransferFunction_sRGB): CGColorSpace.sRGB
  case (kCVImageBufferColorPrimaries_ITU_R_709_2, kCVImageBufferTransferFunction_Linear): CGColorSpace.linearSRGB
  case (kCVImageBufferColorPrimaries_ITU_R_709_2, _): CGColorSpace.itur_709
  default: nil
  }
}
