import CoreMedia
import Foundation
package import MediaEngine

extension MediaReport {
  /// - Parameter bytes: the source's length when known.
  package init(_ media: MediaDescription, address: String, bytes: Int64?) {
    self.address = address
    container = media.container
    self.bytes = bytes
    duration = seconds(media.duration)
    isDurationExact = media.isDurationPrecise
    bitRate = media.bitRate > 0 ? media.bitRate : nil
    isSeekable = media.isSeekable
    isProtected = media.hasProtectedContent
    isFragmented = media.isFragmented
    isCutShort = media.isCutShort
    tracks = media.tracks.map(TrackReport.init)
    chapters = media.chapters.map {
      ChapterReport(
        start: seconds($0.timeRange.start) ?? 0, end: seconds($0.timeRange.end) ?? 0, title: $0.title)
    }
    tags = media.metadata.map {
      TagReport(
        keySpace: $0.keySpace.rawValue, key: $0.key, name: $0.genericKey, value: $0.value, language: $0.languageCode)
    }
    covers = media.covers.map { CoverReport(type: $0.mimeType, bytes: $0.data.count, title: $0.title) }
  }
}

extension TrackReport {
  init(_ track: MediaTrack) {
    id = track.id
    kind = track.kind.rawValue
    codec = track.codec.name
    fourCC = fourCharacterText(track.codec.fourCC)
    profile = track.codec.profile
    start = seconds(track.timeRange.start)
    duration = seconds(track.timeRange.duration)
    bitRate = track.bitRate > 0 ? track.bitRate : nil
    language = track.extendedLanguageTag ?? track.languageCode
    title = track.title
    isEnabled = track.isEnabled
    isDecodable = track.isDecodable
    characteristics = track.characteristics.map(\.rawValue).sorted()
    video = track.video.map(VideoReport.init)
    audio = track.audio.map(AudioReport.init)
  }
}

extension VideoReport {
  init(_ format: VideoFormat) {
    width = format.width
    height = format.height
    let shown = format.presentationSize
    shownWidth = Int(shown.width.rounded())
    shownHeight = Int(shown.height.rounded())
    let aspect = format.pixelAspect
    pixelAspect = aspect.horizontal == aspect.vertical ? nil : "\(aspect.horizontal):\(aspect.vertical)"
    let transform = format.transform
    let degrees = Int((atan2(Double(transform.b), Double(transform.a)) * 180 / .pi).rounded())
    rotation = (degrees % 360 + 360) % 360
    isMirrored = Double(transform.a) * Double(transform.d) - Double(transform.b) * Double(transform.c) < 0
    frameRate = format.nominalFrameRate > 0 ? (format.nominalFrameRate * 1000).rounded() / 1000 : nil
    bitDepth = format.bitDepth
    let color = format.color
    primaries = ColorNames.primaries[color.primaries]
    transfer = ColorNames.transfers[color.transfer]
    matrix = ColorNames.matrices[color.matrix]
    range = color.isFullRange ? "full" : "limited"
    dynamicRange = color.transfer == 16 ? "PQ" : color.transfer == 18 ? "HLG" : "SDR"
    masteringDisplay = color.masteringDisplay != nil
    let levels = color.contentLightLevel.map(Array.init) ?? []
    maxContentLightLevel = levels.count == 4 ? Int(levels[0]) << 8 | Int(levels[1]) : nil
    maxFrameAverageLightLevel = levels.count == 4 ? Int(levels[2]) << 8 | Int(levels[3]) : nil
  }
}

extension AudioReport {
  init(_ format: AudioFormat) {
    sampleRate = format.sampleRate
    channels = format.channelCount
    layout = Self.layoutName(mask: format.channelMask, channels: format.channelCount)
    bitDepth = format.bitDepth > 0 ? format.bitDepth : nil
    primingSamples = format.primingSamples
    paddingSamples = format.paddingSamples
  }

  /// Common layouts by their WAVE channel masks.
  private static func layoutName(mask: UInt64, channels: Int) -> String {
    switch mask {
    case 0x4: "mono"
    case 0x3: "stereo"
    case 0xb: "2.1"
    case 0x7: "3.0"
    case 0x33, 0x603: "quad"
    case 0x37, 0x607: "5.0"
    case 0x3f, 0x60f: "5.1"
    case 0x70f: "6.1"
    case 0x63f: "7.1"
    default: "\(channels) channels"
    }
  }
}

/// Names of ITU-T H.273 code points; 2 is unspecified and has none.
private enum ColorNames {
  static let primaries: [Int: String] = [
    1: "BT.709", 4: "BT.470 M", 5: "BT.601 625", 6: "BT.601 525", 7: "SMPTE 240M", 8: "film", 9: "BT.2020",
    10: "XYZ", 11: "DCI-P3", 12: "Display P3", 22: "EBU 3213",
  ]
  static let transfers: [Int: String] = [
    1: "BT.709", 4: "gamma 2.2", 5: "gamma 2.8", 6: "BT.601", 7: "SMPTE 240M", 8: "linear", 11: "xvYCC", 13: "sRGB",
    14: "BT.2020 10-bit", 15: "BT.2020 12-bit", 16: "PQ", 17: "SMPTE 428", 18: "HLG",
  ]
  static let matrices: [Int: String] = [
    0: "RGB", 1: "BT.709", 4: "FCC", 5: "BT.601 625", 6: "BT.601 525", 7: "SMPTE 240M", 8: "YCgCo",
    9: "BT.2020", 10: "BT.2020 constant luminance", 14: "ICtCp",
  ]
}

private func seconds(_ time: CMTime) -> Double? {
  time.isNumeric ? time.seconds : nil
}

private func fourCharacterText(_ code: UInt32) -> String? {
  let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
  guard code != 0, bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return nil }
  return String(decoding: bytes, as: UTF8.self)
}
