import Foundation
public import UniformTypeIdentifiers

extension AVURLAsset {
  /// The same as types.
  public class var audiovisualContentTypes: [UTType] {
    audiovisualTypes().compactMap { UTType($0.rawValue) }
  }

  /// The containers that can be opened.
  public class func audiovisualTypes() -> [AVFileType] {
    [
      .mp4, .m4v, .m4a, .mov, .mp3, .wav, .aiff, .aifc, .caf, .mobile3GPP, .mobile3GPP2, .ac3, .eac3, .au, .amr,
      AVFileType("public.mpeg-2-transport-stream"), AVFileType("org.matroska.mkv"), AVFileType("org.webmproject.webm"),
      AVFileType("org.xiph.flac"), AVFileType("org.xiph.ogg-audio"),
      AVFileType("org.xiph.ogg-video"), AVFileType("public.aac-audio"), AVFileType("public.avi"),
      AVFileType("public.mpeg"),
    ]
  }

  /// The MIME types that can be opened.
  public class func audiovisualMIMETypes() -> [String] { PlayableMIMEType.containers.keys.sorted() }

  /// Whether media of a MIME type with its `codecs` parameter (RFC 6381) can be played.
  public class func isPlayableExtendedMIMEType(_ extendedMIMEType: String) -> Bool {
    PlayableMIMEType(extendedMIMEType)?.isPlayable ?? false
  }
}

/// A MIME type taken apart: `video/mp4; codecs="avc1.64001f, mp4a.40.2"`.
struct PlayableMIMEType {
  let type: String
  let codecs: [String]

  init?(_ text: String) {
    let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first else { return nil }
    type = first.trimmingCharacters(in: .whitespaces).lowercased()
    guard type.split(separator: "/").count == 2 else { return nil }
    var found: [String] = []
    if parts.count > 1 {
      for parameter in parts[1].split(separator: ";") {
        let pair = parameter.split(separator: "=", maxSplits: 1)
        guard pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces).lowercased() == "codecs" else { continue }
        let list = pair[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
        found = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      }
    }
    codecs = found
  }

  var isPlayable: Bool {
    guard let known = Self.containers[type] else { return false }
    return codecs.allSatisfy { codec in
      let name = codec.split(separator: ".").first.map { $0.lowercased() } ?? ""
      return known.contains(name)
    }
  }

  private static let iso: Set<String> = [
    "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "av01", "vp08", "vp09", "mp4v", "mp4a", "ac-3", "ec-3", "alac",
    "flac", "opus", "mp3", "stpp", "wvtt", "tx3g", "jpeg", "apcn", "apch", "apcs", "apco", "ap4h",
  ]
  private static let matroska: Set<String> = [
    "vp8", "vp9", "vp09", "av01", "av1", "avc1", "hvc1", "hev1", "opus", "vorbis", "flac", "mp4a", "ac-3", "ec-3",
  ]
  private static let sound: Set<String> = ["mp4a", "mp3", "flac", "opus", "vorbis", "1", "alac", "ac-3", "ec-3"]

  /// Which codecs are played in which container.
  static let containers: [String: Set<String>] = [
    "video/mp4": iso, "audio/mp4": iso, "video/quicktime": iso, "video/x-m4v": iso, "audio/x-m4a": iso,
    "application/mp4": iso, "video/3gpp": iso, "audio/3gpp": iso, "video/3gpp2": iso, "audio/3gpp2": iso,
    "video/mp2t": iso, "video/iso.segment": iso, "video/webm": matroska, "audio/webm": matroska,
    "video/x-matroska": matroska, "audio/x-matroska": matroska, "audio/mpeg": sound, "audio/mp3": sound,
    "audio/aac": sound, "audio/x-aac": sound, "audio/flac": sound, "audio/x-flac": sound, "audio/ogg": sound,
    "video/ogg": matroska.union(["theora"]), "audio/wav": sound, "audio/x-wav": sound, "audio/vnd.wave": sound,
    "audio/aiff": sound, "audio/x-aiff": sound, "audio/x-caf": sound, "audio/basic": sound, "audio/ac3": sound,
    "audio/eac3": sound, "video/mpeg": ["mp2v", "mp1v"], "video/x-msvideo": [], "video/avi": [], "video/x-flv": [],
  ]
}
