@testable import AVFoundation
import Foundation
import MediaEngine
import MediaTestSupport
import Testing

/// Languages as containers, apps and the user's environment write them.
@Suite struct LanguageTests {
  @Test(arguments: [
    ("eng", "en"), ("ger", "de"), ("deu", "de"), ("gsw", "gsw"), ("und", "und"), ("de_AT", "de-AT"),
    ("zh-Hant-TW", "zh-Hant-TW"), ("chi-Hant", "zh-Hant"), ("EN", "en"),
  ])
  func aContainersCodeBecomesATag(_ code: String, _ tag: String) {
    #expect(LanguageTag.extended(code) == tag)
  }

  @Test func metadataHasTagsAndLocales() {
    let entry = MetadataEntry(
      keySpace: .matroska, key: "TITLE", genericKey: "title", value: "A Title", languageCode: "eng")
    let item = AVMetadataItem(entry)
    #expect(item.extendedLanguageTag == "en" && item.locale == Locale(identifier: "en"))
  }

  @Test func chaptersHaveTagsAndLocales() async throws {
    var media = ScriptedMedia.make()
    media.chapters = ["eng", nil].map { code in
      Chapter(timeRange: CMTimeRange(start: .zero, duration: seconds(1)), title: "A Chapter", languageCode: code)
    }
    try await Stage.run(.fake, media: media) { stage in
      let asset = AVURLAsset(url: stage.url)
      let locales = try await asset.load(.availableChapterLocales)
      #expect(locales == [Locale(identifier: "en"), Locale(identifier: "und")])
      let groups = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"])
      #expect(groups.first?.items.first?.extendedLanguageTag == "en")
    }
  }

  @Test(
    "The user's languages are those of the environment, by gettext's rules",
    arguments: [
      ([:], []), (["LANG": "C.UTF-8", "LANGUAGE": "de"], []), (["LANG": "POSIX"], []),
      (["LANG": "de_DE.UTF-8"], ["de-DE"]), (["LANG": "de_AT@euro"], ["de-AT"]),
      (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"], ["fr-FR"]),
      (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8", "LC_ALL": "C"], []),
      (["LANG": "de_DE.UTF-8", "LC_ALL": ""], ["de-DE"]),
      (["LANG": "de_DE.UTF-8", "LANGUAGE": "nds:de_DE:en"], ["nds", "de-DE", "en"]),
      (["LANG": "de_DE.UTF-8", "LANGUAGE": "fr"], ["fr", "de-DE"]),
    ] as [([String: String], [String])])
  func theUsersLanguages(_ environment: [String: String], _ languages: [String]) {
    #expect(SystemLanguages.preferred(environment) == languages)
  }
}
