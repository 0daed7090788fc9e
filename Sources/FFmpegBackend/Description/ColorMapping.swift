import CFFmpeg
import Foundation
import MediaEngine

/// Colour facts by precedence: the frame's, then the packet's or stream's, then the container's.
extension ColorDescription {
  /// What codec parameters (container and parameter sets) say.
  init(_ parameters: AVCodecParameters) {
    self.init()
    primaries = Int(parameters.color_primaries.rawValue)
    transfer = Int(parameters.color_trc.rawValue)
    matrix = Int(parameters.color_space.rawValue)
    isFullRange = parameters.color_range == AVCOL_RANGE_JPEG
    chromaLocation = Self.name(parameters.chroma_location)
    normalize()
  }

  /// A frame's own facts laid over `stream`'s.
  init(_ frame: AVFrame, over stream: ColorDescription) {
    self = stream
    if frame.color_primaries != AVCOL_PRI_UNSPECIFIED { primaries = Int(frame.color_primaries.rawValue) }
    if frame.color_trc != AVCOL_TRC_UNSPECIFIED { transfer = Int(frame.color_trc.rawValue) }
    if frame.colorspace != AVCOL_SPC_UNSPECIFIED { matrix = Int(frame.colorspace.rawValue) }
    switch frame.color_range {
    case AVCOL_RANGE_JPEG: isFullRange = true
    case AVCOL_RANGE_MPEG: isFullRange = false
    default: if Self.isFullRangeFormat(frame.format) { isFullRange = true }
    }
    chromaLocation = Self.name(frame.chroma_location) ?? chromaLocation
    normalize()
  }

  /// 0 is reserved, and for the matrix means RGB; code points are bytes (ITU-T H.273), but containers may say anything.
  private mutating func normalize() {
    if !(1...255).contains(primaries) { primaries = 2 }
    if !(1...255).contains(transfer) { transfer = 2 }
    if !(0...255).contains(matrix) { matrix = 2 }
  }

  static func isFullRangeFormat(_ format: Int32) -> Bool {
    [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P]
      .contains { $0.rawValue == format }
  }

  private static func name(_ location: AVChromaLocation) -> String? {
    switch location {
    case AVCHROMA_LOC_LEFT: "left"
    case AVCHROMA_LOC_CENTER: "center"
    case AVCHROMA_LOC_TOPLEFT: "topLeft"
    case AVCHROMA_LOC_TOP: "top"
    case AVCHROMA_LOC_BOTTOMLEFT: "bottomLeft"
    case AVCHROMA_LOC_BOTTOM: "bottom"
    default: nil
    }
  }
}

/// HDR metadata in the form of the bit streams' own payloads.
enum HDRPayload {
  /// 24 bytes as in HEVC's mastering display SEI (ITU-T H.265 D.2.28): green, blue, red, white in 1/50000; light in 1/10000.
  static func masteringDisplay(_ data: AVMasteringDisplayMetadata) -> Data? {
    guard data.has_primaries != 0 || data.has_luminance != 0 else { return nil }
    var result = Data()
    func append16(_ value: AVRational) {
      let scaled = UInt16(clamping: Int((max(value.double, 0) * 50_000).rounded()))
      withUnsafeBytes(of: scaled.bigEndian) { result.append(contentsOf: $0) }
    }
    func append32(_ value: AVRational) {
      let scaled = UInt32(clamping: Int((min(max(value.double, 0), 400_000) * 10_000).rounded()))
      withUnsafeBytes(of: scaled.bigEndian) { result.append(contentsOf: $0) }
    }
    let (red, green, blue) = data.display_primaries
    for (x, y) in [green, blue, red] {
      append16(x)
      append16(y)
    }
    append16(data.white_point.0)
    append16(data.white_point.1)
    append32(data.max_luminance)
    append32(data.min_luminance)
    return result
  }

  /// 4 bytes: MaxCLL, MaxFALL.
  static func contentLightLevel(_ data: AVContentLightMetadata) -> Data {
    var result = Data()
    for value in [data.MaxCLL, data.MaxFALL] {
      withUnsafeBytes(of: UInt16(clamping: value).bigEndian) { result.append(contentsOf: $0) }
    }
    return result
  }
}
