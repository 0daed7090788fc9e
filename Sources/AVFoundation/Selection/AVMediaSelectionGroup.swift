public import Foundation
import MediaEngine

/// Alternatives of which one (or none) plays: languages of sound, subtitles, camera angles.
///
/// Two groups are equal when they stand for the same characteristic of the same tracks.
open class AVMediaSelectionGroup: NSObject, NSCopying {
  let characteristic: AVMediaCharacteristic

  /// In the container's order.
  public let options: [AVMediaSelectionOption]
  /// What plays when nobody chooses; nil is nothing.
  public let defaultOption: AVMediaSelectionOption?
  /// Whether nothing may be chosen.
  public let allowsEmptySelection: Bool

  init?(_ description: MediaDescription, _ characteristic: AVMediaCharacteristic) {
    let kinds = characteristic.trackKinds
    let tracks = description.tracks.filter { kinds.contains($0.kind) }
    guard tracks.count >= (characteristic == .visual ? 2 : 1) else { return nil }
    self.characteristic = characteristic
    options = tracks.map { AVMediaSelectionOption($0, among: tracks) }
    allowsEmptySelection = characteristic == .legible
    let isForced = { (track: MediaTrack) in track.characteristics.contains(.forced) }
    let initial =
      characteristic == .legible
      ? tracks.firstIndex { $0.isEnabled && isForced($0) }
      : tracks.firstIndex { $0.isEnabled } ?? tracks.indices.first
    defaultOption = initial.map { [options] in options[$0] }
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVMediaSelectionGroup else { return false }
    return characteristic == other.characteristic && options == other.options
  }

  open override var hash: Int { characteristic.hashValue }

  /// The option that `AVMediaSelectionOption.propertyList()` described, if it is here.
  open func mediaSelectionOption(withPropertyList plist: Any) -> AVMediaSelectionOption? {
    guard let wanted = plist as? [String: Any] else { return nil }
    return options.first { option in
      let own = option.propertyFields
      return own.allSatisfy { key, value in (wanted[key] as? String) == value }
    }
  }

  /// The options that can be played here.
  open class func playableMediaSelectionOptions(from options: [AVMediaSelectionOption]) -> [AVMediaSelectionOption] {
    options.filter(\.isPlayable)
  }

  /// Those in preferred languages, the best language first.
  open class func mediaSelectionOptions(
    from options: [AVMediaSelectionOption], filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
  ) -> [AVMediaSelectionOption] {
    var sorted: [AVMediaSelectionOption] = []
    for language in preferredLanguages {
      sorted += options.filter { option in
        !sorted.contains(option) && option.extendedLanguageTag.map { LanguageTag.matches($0, language) } ?? false
      }
    }
    return sorted
  }

  open class func mediaSelectionOptions(
    from options: [AVMediaSelectionOption], with locale: Locale
  ) -> [AVMediaSelectionOption] {
    options.filter { $0.extendedLanguageTag.map { LanguageTag.matches($0, locale.identifier) } ?? false }
  }

  /// Those with all of the characteristics.
  open class func mediaSelectionOptions(
    from options: [AVMediaSelectionOption], withMediaCharacteristics characteristics: [AVMediaCharacteristic]
  ) -> [AVMediaSelectionOption] {
    options.filter { option in characteristics.allSatisfy { option.hasMediaCharacteristic($0) } }
  }

  /// Those with none of the characteristics.
  open class func mediaSelectionOptions(
    from options: [AVMediaSelectionOption], withoutMediaCharacteristics characteristics: [AVMediaCharacteristic]
  ) -> [AVMediaSelectionOption] {
    options.filter { option in !characteristics.contains { option.hasMediaCharacteristic($0) } }
  }
}

extension AVMediaCharacteristic {
  /// Which tracks can be chosen under this characteristic.
  var trackKinds: [TrackKind] {
    switch self {
    case .audible: [.audio]
    case .legible: [.subtitle, .closedCaption]
    case .visual: [.video]
    default: []
    }
  }

  /// The characteristics that choices are made under.
  static let selectable: [AVMediaCharacteristic] = [.audible, .legible, .visual]
}

extension MediaDescription {
  var selectableCharacteristics: [AVMediaCharacteristic] {
    AVMediaCharacteristic.selectable.filter { AVMediaSelectionGroup(self, $0) != nil }
  }
}
