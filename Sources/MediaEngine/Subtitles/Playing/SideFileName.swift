import CoreMedia
package import Foundation

/// What the name of a file of subtitles says: `Film.en-US.forced.srt`.
package struct SideFileName: Hashable, Sendable {
  /// ISO 639-2/T or two letters, as `MediaTrack` has it; nil without one.
  package private(set) var languageCode: String?
  /// BCP 47.
  package private(set) var languageTag: String?
  package private(set) var characteristics: Set<TrackCharacteristic> = []
  /// What is left of the name, for menus; nil when nothing is.
  package private(set) var title: String?
  /// The name without what follows the film's.
  package private(set) var stem: String

  package init(_ url: URL) {
    var parts = url.deletingPathExtension().lastPathComponent.split(separator: ".", omittingEmptySubsequences: false)
      .map(String.init)
    while parts.count > 1, let last = parts.last {
      if let role = Self.roles[last.lowercased()] {
        characteristics.formUnion(role)
      } else if languageTag == nil, let tag = Self.language(last) {
        languageTag = tag
        let primary = String(tag.prefix { $0 != "-" })
        languageCode = LanguageCode.terminological(primary)
      } else {
        break
      }
      parts.removeLast()
    }
    stem = parts.joined(separator: ".")
    title = languageTag == nil ? url.lastPathComponent : nil
  }

  /// Files beside a film that are subtitles of it: those of its own name, and those with a language or a role behind it.
  /// Sorted by name; empty for anything but files.
  package static func files(beside film: URL) -> [URL] {
    guard film.isFileURL else { return [] }
    let stem = film.deletingPathExtension().lastPathComponent
    let folder = film.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let known = Set(SubtitleFile.Format.allCases.flatMap(\.pathExtensions))
    return names.lazy.filter { $0.hasPrefix(stem) }.map { folder.appendingPathComponent($0) }
      .filter { url in
        guard known.contains(url.pathExtension.lowercased()) else { return false }
        let own = url.deletingPathExtension().lastPathComponent
        return own == stem || SideFileName(url).stem == stem
      }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  static func codec(of url: URL) -> MediaCodec {
    let suffix = url.pathExtension.lowercased()
    switch SubtitleFile.Format.allCases.first(where: { $0.pathExtensions.contains(suffix) }) {
    case .webVTT: return MediaCodec(name: "webvtt", fourCC: kCMSubtitleFormatType_WebVTT)
    case .subStation: return MediaCodec(name: "ass", fourCC: 0)
    case .subRip, nil: return MediaCodec(name: "subrip", fourCC: 0)
    }
  }

  private static let roles: [String: Set<TrackCharacteristic>] = [
    "forced": [.forced], "foreign": [.forced], "sdh": [.hearingImpaired, .captions],
    "hi": [.hearingImpaired, .captions], "cc": [.hearingImpaired, .captions], "default": [],
  ]

  /// A tag that the system knows as a language's: any two or three letters would be one else.
  private static func language(_ text: String) -> String? {
    let parts = text.split(whereSeparator: { $0 == "-" || $0 == "_" })
    guard let primary = parts.first?.lowercased(), 2...3 ~= primary.utf8.count, parts.count <= 3,
      parts.allSatisfy({ $0.utf8.allSatisfy { ($0 | 32) >= 97 && ($0 | 32) <= 122 || 48...57 ~= $0 } }),
      Locale.LanguageCode(primary).isISOLanguage || LanguageCode.terminological(primary) != primary
    else { return nil }
    return ([primary] + parts.dropFirst().map(String.init)).joined(separator: "-")
  }
}
