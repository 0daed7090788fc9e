/// What a sequence parameter set says about pictures.
struct SequenceParameters: Equatable {
  var width = 0
  var height = 0
  var chromaFormat: UInt32 = 1
  var bitDepthLuma: UInt32 = 8
  var bitDepthChroma: UInt32 = 8
  var pixelAspect: (horizontal: UInt32, vertical: UInt32)?
  var isFullRange: Bool?
  /// Code points of ITU-T H.273.
  var color: (primaries: UInt32, transfer: UInt32, matrix: UInt32)?

  static func == (left: SequenceParameters, right: SequenceParameters) -> Bool {
    left.width == right.width && left.height == right.height && left.chromaFormat == right.chromaFormat
      && left.bitDepthLuma == right.bitDepthLuma && left.bitDepthChroma == right.bitDepthChroma
      && left.pixelAspect?.horizontal == right.pixelAspect?.horizontal
      && left.pixelAspect?.vertical == right.pixelAspect?.vertical && left.isFullRange == right.isFullRange
      && left.color?.primaries == right.color?.primaries && left.color?.transfer == right.color?.transfer
      && left.color?.matrix == right.color?.matrix
  }

  /// Sample aspect ratios by `aspect_ratio_idc` (ISO 14496-10, table E-1).
  private static let aspects: [(UInt32, UInt32)] = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
    (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]

  /// The common beginning of the video usability information of both codecs (E.1.1); missing parts are left as they are.
  mutating func readUsability(_ reader: inout BitReader) {
    guard let hasAspect = reader.bit() else { return }
    if hasAspect {
      guard let code = reader.bits(8) else { return }
      if code == 255 {
        guard let horizontal = reader.bits(16), let vertical = reader.bits(16) else { return }
        if horizontal > 0 && vertical > 0 { pixelAspect = (horizontal, vertical) }
      } else if code >= 1 && code <= UInt32(SequenceParameters.aspects.count) {
        pixelAspect = SequenceParameters.aspects[Int(code) - 1]
      }
    }
    guard let hasOverscan = reader.bit(), !hasOverscan || reader.bit() != nil, let hasSignal = reader.bit(), hasSignal,
      reader.bits(3) != nil, let isFull = reader.bit(), let hasColor = reader.bit()
    else { return }
    isFullRange = isFull
    guard hasColor, let primaries = reader.bits(8), let transfer = reader.bits(8), let matrix = reader.bits(8) else {
      return
    }
    color = (primaries, transfer, matrix)
  }

  /// Sets the size after cropping; false when nothing is left or the numbers are absurd.
  mutating func setSize(
    width: Int, height: Int, crop: (left: UInt32, right: UInt32, top: UInt32, bottom: UInt32), unitX: Int, unitY: Int
  ) -> Bool {
    let cropX = (Int(crop.left) + Int(crop.right)) * unitX
    let cropY = (Int(crop.top) + Int(crop.bottom)) * unitY
    guard width > cropX, height > cropY, width <= 1 << 20, height <= 1 << 20 else { return false }
    self.width = width - cropX
    self.height = height - cropY
    return true
  }
}
