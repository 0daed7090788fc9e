import Foundation
import MediaEngine

/// A language as containers write it (ISO 639-2) or apps do (BCP 47, a locale's identifier), and how near it is to
/// another one: the only place that compares languages.
struct LanguageTag: Hashable {
  /// The two-letter code where there is one.
  let language: String
  /// As written, else the one that the language has in the region (`zh-TW` is written in `Hant`).
  let script: String?
  /// As written.
  let region: String?

  init(_ text: String) {
    let written = text.split(separator: "@", maxSplits: 1).first.map(String.init) ?? ""
    var parts = written.split(whereSeparator: { $0 == "-" || $0 == "_" }).dropFirst()
    language = Self.primary(written)
    var script: String?
    if let part = parts.first, part.count == 4, part.allSatisfy(\.isLetter) {
      script = part.capitalized
      parts = parts.dropFirst()
    }
    region = parts.first.flatMap {
      $0.count == 2 || ($0.count == 3 && $0.allSatisfy(\.isNumber)) ? $0.uppercased() : nil
    }
    let known = [language, region].compactMap { $0 }.joined(separator: "-")
    self.script = script ?? (language == "und" ? nil : Locale.Language(identifier: known).script?.identifier)
  }

  /// How far this is from a wish, 0 being the same; nil for another language.
  func distance(from wish: LanguageTag) -> Int? {
    guard language == wish.language else { return nil }
    guard script == wish.script else { return 3 }
    if region == wish.region { return 0 }
    return region == nil || wish.region == nil ? 1 : 2
  }

  /// What is in a language, the nearest first, else in the given order.
  static func sorted<Item>(_ items: [Item], by tag: (Item) -> String?, for wish: String) -> [Item] {
    ranked(items, tag, wish).flatMap(\.items)
  }

  /// What is nearest to a language.
  static func best<Item>(of items: [Item], by tag: (Item) -> String?, for wish: String) -> [Item] {
    ranked(items, tag, wish).first?.items ?? []
  }

  private static func ranked<Item>(
    _ items: [Item], _ tag: (Item) -> String?, _ wish: String
  ) -> [(distance: Int, items: [Item])] {
    let wish = LanguageTag(wish)
    var ranks: [Int: [Item]] = [:]
    for item in items {
      if let distance = tag(item).flatMap({ LanguageTag($0).distance(from: wish) }) {
        ranks[distance, default: []].append(item)
      }
    }
    return ranks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The two-letter code where there is one: `deu`, `ger`, `de-AT` and `de_AT` all give `de`.
  static func primary(_ tag: String) -> String {
    let first = tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map { $0.lowercased() } ?? ""
    guard first.count == 3 else { return first }
    let language = Locale.LanguageCode(LanguageCode.terminological(first))
    return language.identifier(.alpha2) ?? first
  }

  /// BCP 47 of a container's code or tag: its first part as short as may be, the rest as written.
  static func extended(_ code: String) -> String {
    let parts = code.split(maxSplits: 1, whereSeparator: { $0 == "-" || $0 == "_" })
    return ([primary(code)] + parts.dropFirst().map(String.init)).joined(separator: "-")
  }
}
