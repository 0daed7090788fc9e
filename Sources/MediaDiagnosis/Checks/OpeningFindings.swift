import Foundation
import MediaIO
import MediaRuntime

/// Why a file could not be opened or read on, by the engine's error.
enum OpeningFindings {
  /// - Parameter start: the file's first bytes, as far as there are any.
  static func finding(for error: MediaError, start: [UInt8], length: Int64?) -> Finding {
    var evidence: [String: Evidence] = ["error": Evidence(error.code.number)]
    if let length { evidence["bytes"] = Evidence(length) }
    if let cause = error.cause { evidence["cause"] = Evidence("\(cause)") }
    func finding(_ kind: FindingKind, remedy: String? = nil) -> Finding {
      Finding(kind, error.reason, remedy: remedy, evidence)
    }
    switch error.code {
    case .sourceMissing: return finding(.missing)
    case .sourceEmpty: return finding(.empty)
    case .sourceIsFolder: return finding(.isFolder)
    case .sourceUnreadable: return finding(unreadable(error), remedy: error.remedy)
    case .sourceChanged: return finding(.changedWhileRead)
    case .sourceReadFailed: return finding(.readFailed, remedy: error.remedy)
    case .addressMalformed, .addressUnsupported: return finding(.badAddress, remedy: error.remedy)
    case .containerUnknown: return unknown(error, start, evidence)
    case .containerTruncated: return finding(.truncated)
    case .containerIndexMissing: return finding(.indexMissing)
    case .containerLoneSegment: return finding(.loneSegment)
    case .containerInitOnly: return finding(.initOnly)
    case .containerNoTracks: return finding(.noTracks)
    case .contentProtected: return finding(.protected)
    case .decoderMissing: return finding(.noDecoder, remedy: error.remedy)
    case .outOfMemory: return finding(.outOfMemory)
    default: return finding(.containerDamaged)
    }
  }

  private static func unreadable(_ error: MediaError) -> FindingKind {
    switch (error.cause as? SystemError)?.code {
    case EACCES, EPERM: .noPermission
    case nil: .notAFile
    case ENXIO, ENODEV: .notAFile
    default: .readFailed
    }
  }

  private static func unknown(_ error: MediaError, _ start: [UInt8], _ evidence: [String: Evidence]) -> Finding {
    guard let kind = ContentKind(start) else {
      var evidence = evidence
      evidence["start"] = Evidence(start.prefix(16).map { hex($0) }.joined(separator: " "))
      return Finding(.containerUnknown, error.reason, evidence)
    }
    var told = evidence
    told["content"] = Evidence(kind.words)
    return Finding(kind.finding, "The file is \(kind.words), not media.", told)
  }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}

/// What a file without media is instead, by its first bytes.
struct ContentKind: Sendable {
  let finding: FindingKind
  /// With its article.
  let words: String

  /// Bytes that are looked at.
  static let length = 1_024

  private static let signs: [(bytes: [UInt8], finding: FindingKind, words: String)] = [
    (Array("#EXTM3U".utf8), .playlist, "an M3U playlist"), (Array("[playlist]".utf8), .playlist, "a PLS playlist"),
    (Array("ffconcat".utf8), .playlist, "a concat script"), (Array("PK\u{3}\u{4}".utf8), .archive, "a ZIP archive"),
    ([0x1f, 0x8b], .archive, "a gzip file"), (Array("Rar!\u{1a}".utf8), .archive, "a RAR archive"),
    ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], .archive, "a 7z archive"),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a], .archive, "an xz file"), (Array("%PDF-".utf8), .archive, "a PDF document"),
  ]

  init?(_ start: [UInt8]) {
    if let sign = Self.signs.first(where: { start.starts(with: $0.bytes) }) {
      self.init(finding: sign.finding, words: sign.words)
      return
    }
    // A byte-order mark and blanks may come first; names of elements have any case.
    let text = String(decoding: start.prefix(Self.length), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{feff}" }
    if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") || text.contains("<head>") {
      self.init(finding: .webPage, words: "a web page")
    } else if text.hasPrefix("<?xml") || text.hasPrefix("<mpd") {
      let isManifest = text.contains("<mpd")
      self.init(
        finding: isManifest ? .playlist : .webPage, words: isManifest ? "a DASH manifest" : "an XML document")
    } else if text.hasPrefix("{"), text.contains("\"") {
      self.init(finding: .webPage, words: "a server's answer (JSON)")
    } else {
      return nil
    }
  }

  private init(finding: FindingKind, words: String) {
    self.finding = finding
    self.words = words
  }
}
