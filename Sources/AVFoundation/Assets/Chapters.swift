import CoreMedia
import Foundation
import MediaEngine

extension MediaDescription {
  /// Languages that chapter titles are written in; `und` when the container names none.
  var chapterLocales: [Locale] {
    var locales: [Locale] = []
    for chapter in chapters {
      let locale = Locale(identifier: chapter.languageCode ?? "und")
      if !locales.contains(locale) { locales.append(locale) }
    }
    return locales
  }

  func chapterGroups(titleLocale locale: Locale, commonKeys: [AVMetadataKey]) -> [AVTimedMetadataGroup] {
    let language = Self.primaryLanguage(locale.identifier)
    let matching = chapters.filter { Self.primaryLanguage($0.languageCode ?? "und") == language }
    return groups(matching, commonKeys)
  }

  /// The chapters in the first preferred language that has any, else the container's first language.
  func chapterGroups(preferredLanguages: [String]) -> [AVTimedMetadataGroup] {
    let spoken = chapters.map { Self.primaryLanguage($0.languageCode ?? "und") }
    let wanted = preferredLanguages.map(Self.primaryLanguage).first { spoken.contains($0) } ?? spoken.first
    let matching = zip(chapters, spoken).filter { $0.1 == wanted }.map(\.0)
    return groups(matching, [])
  }

  private func groups(_ chapters: [Chapter], _ commonKeys: [AVMetadataKey]) -> [AVTimedMetadataGroup] {
    chapters.enumerated().map { index, chapter in
      let title = AVMutableMetadataItem()
      title.identifier = .commonIdentifierTitle
      title.value = (chapter.title ?? "Chapter \(index + 1)") as NSString
      title.time = chapter.timeRange.start
      title.duration = chapter.timeRange.duration
      title.extendedLanguageTag = chapter.languageCode ?? "und"
      var items: [AVMetadataItem] = [title.immutableCopy]
      if commonKeys.contains(.commonKeyArtwork) {
        items += covers.prefix(1).map { AVMetadataItem($0, container: container) }
      }
      return AVTimedMetadataGroup(items: items, timeRange: chapter.timeRange)
    }
  }

  /// `en` of `en-GB`, `eng` → `en`.
  static func primaryLanguage(_ tag: String) -> String {
    LanguageTag.primary(tag)
  }
}

/// Compares languages that containers write as ISO 639-2 and apps as BCP 47.
enum LanguageTag {
  /// The two-letter code where there is one: `deu`, `ger`, `de-AT` and `de_AT` all give `de`.
  static func primary(_ tag: String) -> String {
    let first = tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map { $0.lowercased() } ?? ""
    guard first.count == 3 else { return first }
    if let bibliographic = bibliographicCodes[first] { return bibliographic }
    let language = Locale.LanguageCode(first)
    return language.identifier(.alpha2) ?? first
  }

  static func matches(_ left: String, _ right: String) -> Bool { primary(left) == primary(right) }

  /// ISO 639-2/B codes that differ from 639-2/T.
  private static let bibliographicCodes: [String: String] = [
    "alb": "sq", "arm": "hy", "baq": "eu", "bur": "my", "chi": "zh", "cze": "cs", "dut": "nl", "fre": "fr",
    "geo": "ka", "ger": "de", "gre": "el", "ice": "is", "mac": "mk", "mao": "mi", "may": "ms", "per": "fa",
    "rum": "ro", "slo": "sk", "tib": "bo", "wel": "cy",
  ]
}
