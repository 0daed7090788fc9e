// Between Apple's names for colour and the code points of ITU-T H.273, which containers and codecs carry.

private let primaries: [(code: Int32, name: CFString)] = [
  (1, kCVImageBufferColorPrimaries_ITU_R_709_2), (5, kCVImageBufferColorPrimaries_EBU_3213),
  (6, kCVImageBufferColorPrimaries_SMPTE_C), (7, kCVImageBufferColorPrimaries_SMPTE_C),
  (9, kCVImageBufferColorPrimaries_ITU_R_2020), (11, kCVImageBufferColorPrimaries_DCI_P3),
  (12, kCVImageBufferColorPrimaries_P3_D65), (22, kCVImageBufferColorPrimaries_P22),
]

private let transferFunctions: [(code: Int32, name: CFString)] = [
  (1, kCVImageBufferTransferFunction_ITU_R_709_2), (6, kCVImageBufferTransferFunction_ITU_R_709_2),
  (7, kCVImageBufferTransferFunction_SMPTE_240M_1995), (8, kCVImageBufferTransferFunction_Linear),
  (13, kCVImageBufferTransferFunction_sRGB), (14, kCVImageBufferTransferFunction_ITU_R_2020),
  (15, kCVImageBufferTransferFunction_ITU_R_2020), (16, kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ),
  (17, kCVImageBufferTransferFunction_SMPTE_ST_428_1), (18, kCVImageBufferTransferFunction_ITU_R_2100_HLG),
]

private let matrices: [(code: Int32, name: CFString)] = [
  (1, kCVImageBufferYCbCrMatrix_ITU_R_709_2), (6, kCVImageBufferYCbCrMatrix_ITU_R_601_4),
  (5, kCVImageBufferYCbCrMatrix_ITU_R_601_4), (7, kCVImageBufferYCbCrMatrix_SMPTE_240M_1995),
  (9, kCVImageBufferYCbCrMatrix_ITU_R_2020),
]

/// H.273's "unspecified".
private let unspecified: Int32 = 2

private func code(_ name: CFString?, _ table: [(code: Int32, name: CFString)]) -> Int32 {
  table.first { $0.name == name }?.code ?? unspecified
}

private func name(_ code: Int32, _ table: [(code: Int32, name: CFString)]) -> CFString? {
  table.first { $0.code == code }?.name
}

/// The H.273 code point; 2 when unknown.
public func CVColorPrimariesGetIntegerCodePointForString(_ colorPrimariesString: CFString?) -> Int32 {
  code(colorPrimariesString, primaries)
}

/// Nil when Apple has no name for the code point.
public func CVColorPrimariesGetStringForIntegerCodePoint(_ colorPrimariesCodePoint: Int32) -> CFString? {
  name(colorPrimariesCodePoint, primaries)
}

/// The H.273 code point; 2 when unknown.
public func CVTransferFunctionGetIntegerCodePointForString(_ transferFunctionString: CFString?) -> Int32 {
  code(transferFunctionString, transferFunctions)
}

/// Nil when Apple has no name for the code point.
public func CVTransferFunctionGetStringForIntegerCodePoint(_ transferFunctionCodePoint: Int32) -> CFString? {
  name(transferFunctionCodePoint, transferFunctions)
}

/// The H.273 code point; 2 when unknown.
public func CVYCbCrMatrixGetIntegerCodePointForString(_ yCbCrMatrixString: CFString?) -> Int32 {
  code(yCbCrMatrixString, matrices)
}

/// Nil when Apple has no name for the code point.
public func CVYCbCrMatrixGetStringForIntegerCodePoint(_ yCbCrMatrixCodePoint: Int32) -> CFString? {
  name(yCbCrMatrixCodePoint, matrices)
}
