import AVFoundation

/// An item's tracks in one line, such as `0:12, h264 640×360 30 fps, aac 48000 Hz 2 ch`.
@MainActor
enum TrackSummary {
  static func text(_ item: AVPlayerItem) -> String {
    var parts = [TimeText.duration(item.duration)]
    for track in item.tracks.compactMap(\.assetTrack) {
      switch track.mediaType {
      case .video: parts.append(video(track))
      case .audio: parts.append(audio(track))
      default: break
      }
    }
    return parts.joined(separator: ", ")
  }

  private static func video(_ track: AVAssetTrack) -> String {
    let size = track.naturalSize
    var text = "\(codec(track)) \(Int(size.width))×\(Int(size.height))"
    if track.nominalFrameRate > 0 {
      let hundredths = Int((track.nominalFrameRate * 100).rounded())
      text += hundredths % 100 == 0 ? " \(hundredths / 100) fps" : " \(Double(hundredths) / 100) fps"
    }
    return text
  }

  private static func audio(_ track: AVAssetTrack) -> String {
    guard let format = track.formatDescriptions.first, let description = format as? CMFormatDescription,
      let basic = description.audioStreamBasicDescription
    else { return codec(track) }
    return "\(codec(track)) \(Int(basic.mSampleRate)) Hz \(basic.mChannelsPerFrame) ch"
  }

  /// Names as `sprocket info` has them, as far as a code tells: one for all plain samples, one for what `mp4a` may hold.
  private static let names: [FourCharCode: String] = {
    let names = [
      "avc1": "h264", "avc3": "h264", "hvc1": "hevc", "hev1": "hevc", "vp08": "vp8", "vp09": "vp9", "av01": "av1",
      "mp4v": "mpeg4", "jpeg": "mjpeg", "mp1v": "mpeg1video", "mp2v": "mpeg2video", "mp4a": "aac", ".mp3": "mp3",
      ".mp2": "mp2", ".mp1": "mp1", "ac-3": "ac3", "ec-3": "eac3", "Opus": "opus", "fLaC": "flac", "vorb": "vorbis",
      "samr": "amr_nb", "sawb": "amr_wb", "lpcm": "pcm", "apcn": "prores", "apch": "prores", "apcs": "prores",
      "apco": "prores", "ap4h": "prores",
    ]
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0.key.utf8.reduce(0) { $0 << 8 | FourCharCode($1) }, $0.value) })
  }()

  private static func codec(_ track: AVAssetTrack) -> String {
    guard let description = track.formatDescriptions.first as? CMFormatDescription else { return "unknown" }
    let code = description.mediaSubType.rawValue
    if let name = names[code] { return name }
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
    return bytes.allSatisfy { (0x20..<0x7f).contains($0) }
      ? String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces) : "0x" + String(code, radix: 16)
  }
}
