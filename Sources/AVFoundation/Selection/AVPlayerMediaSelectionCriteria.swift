public import Foundation

/// By what a player chooses options when the app has not: languages, then characteristics, in this order of weight.
public final class AVPlayerMediaSelectionCriteria: NSObject, Sendable {
  /// Characteristics that the option must have; chosen before languages.
  public let principalMediaCharacteristics: [AVMediaCharacteristic]?
  /// BCP 47, the most wanted first.
  public let preferredLanguages: [String]?
  public let preferredMediaCharacteristics: [AVMediaCharacteristic]?

  public init(preferredLanguages: [String]?, preferredMediaCharacteristics: [AVMediaCharacteristic]?) {
    principalMediaCharacteristics = nil
    self.preferredLanguages = preferredLanguages
    self.preferredMediaCharacteristics = preferredMediaCharacteristics
  }

  public init(
    principalMediaCharacteristics: [AVMediaCharacteristic]?, preferredLanguages: [String]?,
    preferredMediaCharacteristics: [AVMediaCharacteristic]?
  ) {
    self.principalMediaCharacteristics = principalMediaCharacteristics
    self.preferredLanguages = preferredLanguages
    self.preferredMediaCharacteristics = preferredMediaCharacteristics
  }

  /// The option of a group that fits best; the group's default when no wish can be met.
  /// - Parameter characteristics: of options that nobody wants who has not asked for them.
  func choice(
    in group: AVMediaSelectionGroup, without characteristics: [AVMediaCharacteristic] = []
  ) -> AVMediaSelectionOption? {
    var candidates = AVMediaSelectionGroup.mediaSelectionOptions(
      from: group.options.filter(\.isPlayable), withoutMediaCharacteristics: characteristics)
    var hasMetWish = false
    if let principal = principalMediaCharacteristics, !principal.isEmpty {
      let fitting = candidates.filter { option in principal.allSatisfy { option.hasMediaCharacteristic($0) } }
      if !fitting.isEmpty {
        candidates = fitting
        hasMetWish = true
      }
    }
    if let languages = preferredLanguages, !languages.isEmpty {
      let spoken = languages.lazy.map { LanguageTag.best(of: candidates, by: { $0.extendedLanguageTag }, for: $0) }
        .first { !$0.isEmpty }
      guard let spoken else { return group.defaultOption }
      candidates = spoken
      hasMetWish = true
    }
    let wished = preferredMediaCharacteristics ?? []
    let scored = candidates.map { option in (option, wished.filter { option.hasMediaCharacteristic($0) }.count) }
    let best = scored.map(\.1).max() ?? 0
    guard hasMetWish || best > 0 else { return group.defaultOption }
    let fitting = scored.filter { $0.1 == best }.map(\.0)
    return fitting.first { $0 == group.defaultOption } ?? fitting.first ?? group.defaultOption
  }
}
