import CoreMedia
import Foundation
import MediaEngine

extension MediaDescription {
  /// Languages that chapter titles are written in; `und` when the container names none.
  var chapterLocales: [Locale] {
    var locales: [Locale] = []
    for chapter in chapters {
      let locale = Locale(identifier: chapter.language)
      if !locales.contains(locale) { locales.append(locale) }
    }
    return locales
  }

  func chapterGroups(titleLocale locale: Locale, commonKeys: [AVMetadataKey]) -> [AVTimedMetadataGroup] {
    groups(chapters(nearestTo: locale.identifier), commonKeys)
  }

  /// The chapters in the first preferred language that has any, else the container's first language.
  func chapterGroups(preferredLanguages: [String]) -> [AVTimedMetadataGroup] {
    let spoken = preferredLanguages.lazy.map { chapters(nearestTo: $0) }.first { !$0.isEmpty }
    return groups(spoken ?? chapters(nearestTo: chapters.first?.language ?? "und"), [])
  }

  /// One list of chapters: those in the language that comes nearest.
  private func chapters(nearestTo wish: String) -> [Chapter] {
    guard let nearest = LanguageTag.best(of: chapters, by: \.language, for: wish).first else { return [] }
    let tag = LanguageTag(nearest.language)
    return chapters.filter { LanguageTag($0.language) == tag }
  }

  private func groups(_ chapters: [Chapter], _ commonKeys: [AVMetadataKey]) -> [AVTimedMetadataGroup] {
    chapters.enumerated().map { index, chapter in
      let title = AVMutableMetadataItem()
      title.identifier = .commonIdentifierTitle
      title.value = (chapter.title ?? "Chapter \(index + 1)") as NSString
      title.time = chapter.timeRange.start
      title.duration = chapter.timeRange.duration
      title.extendedLanguageTag = chapter.language
      var items: [AVMetadataItem] = [title.immutableCopy]
      if commonKeys.contains(.commonKeyArtwork) {
        items += covers.prefix(1).map { AVMetadataItem($0, container: container) }
      }
      return AVTimedMetadataGroup(items: items, timeRange: chapter.timeRange)
    }
  }
}

extension Chapter {
  /// The title's, BCP 47; `und` when the container names none.
  fileprivate var language: String { languageCode.map { LanguageTag.extended($0) } ?? "und" }
}
