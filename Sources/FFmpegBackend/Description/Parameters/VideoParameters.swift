import CFFmpeg
import Foundation
import MediaEngine

/// What a video codec's own header says, read without decoding: the first sequence parameter set of H.264 or HEVC, the
/// sequence header of AV1. Numbers of colour are those of ITU-T H.273.
struct VideoParameters: Sendable {
  /// Of the visible picture; nil where the header does not tell.
  var size: (width: Int, height: Int)?
  var chromaFormat: UInt32 = 1
  var bitDepth = 8
  var pixelAspect: (Int, Int)?
  var isFullRange: Bool?
  var primaries: Int?
  var transfer: Int?
  var matrix: Int?
  /// How many pictures may be held back for reordering; nil when the stream does not say.
  var reorderDepth: Int?
  /// As in HEVC's supplemental messages; see `HDRPayload`.
  var masteringDisplay: Data?
  var contentLightLevel: Data?

  /// - Parameter configuration: the codec's box (`avcC`, `hvcC`, `av1C`) or a byte stream with its headers.
  /// - Returns: nil for other codecs, and where the header is damaged.
  static func read(_ codec: AVCodecID, _ configuration: [UInt8]) -> VideoParameters? {
    switch codec {
    case AV_CODEC_ID_H264: h264(configuration)
    case AV_CODEC_ID_HEVC: hevc(configuration)
    case AV_CODEC_ID_AV1: av1(configuration)
    default: nil
    }
  }

  /// The first NAL unit of a byte stream (with start codes) that is wanted, from its header on, to the next start code.
  static func unit(_ bytes: [UInt8], where isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8>? {
    var begin: Int?
    for place in bytes.indices.dropFirst(2)
    where bytes[place] == 1 && bytes[place - 1] == 0 && bytes[place - 2] == 0 {
      if let begin { return bytes[begin..<place - 2] }
      if place + 1 < bytes.endIndex, isWanted(bytes[place + 1]) { begin = place + 1 }
    }
    return begin.map { bytes[$0...] }
  }
}

/// Pixel aspects by their number (ITU-T H.273, table 12).
enum SampleAspect {
  private static let values: [(Int, Int)] = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
    (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]

  static func table(_ code: UInt32) -> (Int, Int)? {
    guard code >= 1, code <= UInt32(values.count) else { return nil }
    return values[Int(code) - 1]
  }
}

extension VideoParameters {
  /// The beginning of VUI, alike in ITU-T H.264 and H.265 (annex E of both).
  mutating func readAspectAndColor(_ reader: inout BitReader) {
    if reader.bit() == true, let code = reader.bits(8) {
      if code == 255 {
        if let width = reader.bits(16), let height = reader.bits(16), width > 0, height > 0 {
          pixelAspect = (Int(width), Int(height))
        }
      } else {
        pixelAspect = SampleAspect.table(code)
      }
    }
    if reader.bit() == true { _ = reader.bit() }
    if reader.bit() == true {
      _ = reader.bits(3)
      isFullRange = reader.bit()
      if reader.bit() == true {
        primaries = reader.bits(8).map(Int.init)
        transfer = reader.bits(8).map(Int.init)
        matrix = reader.bits(8).map(Int.init)
      }
    }
    // Where chroma lies.
    if reader.bit() == true {
      _ = reader.unsigned()
      _ = reader.unsigned()
    }
  }

  /// The visible part of a coded size.
  /// - Parameter crop: left, right, top, bottom, in units of chroma.
  mutating func setSize(_ width: UInt32, _ height: UInt32, crop: [UInt32] = [], frameUnit: Int = 1) {
    let isHalfWide = chromaFormat == 1 || chromaFormat == 2
    let units = (width: isHalfWide ? 2 : 1, height: (chromaFormat == 1 ? 2 : 1) * frameUnit)
    let cut = crop.count == 4 ? crop.map { Int($0) } : [0, 0, 0, 0]
    let visible = (
      width: Int(width) - (cut[0] + cut[1]) * units.width, height: Int(height) - (cut[2] + cut[3]) * units.height
    )
    guard visible.width > 0, visible.height > 0, visible.width <= 1 << 16, visible.height <= 1 << 16 else { return }
    size = visible
  }
}
