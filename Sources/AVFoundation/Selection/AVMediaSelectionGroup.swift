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
    guard let trackGroup = characteristic.trackGroup, description.offersChoice(of: trackGroup) else { return nil }
    let tracks = description.tracks(of: trackGroup)
    self.characteristic = characteristic
    options = tracks.map { AVMediaSelectionOption($0, among: tracks) }
    allowsEmptySelection = trackGroup == .legible
    let initial = description.defaultTrack(of: trackGroup)?.id
    defaultOption = options.first { $0.track.id == initial }
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
      let spoken = LanguageTag.sorted(options, by: { $0.extendedLanguageTag }, for: language)
      sorted += spoken.filter { !sorted.contains($0) }
    }
    return sorted
  }

  /// Those whose language comes nearest to the locale's.
  open class func mediaSelectionOptions(
    from options: [AVMediaSelectionOption], with locale: Locale
  ) -> [AVMediaSelectionOption] {
    LanguageTag.best(of: options, by: { $0.extendedLanguageTag }, for: locale.identifier)
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
  /// The tracks that can be chosen under this characteristic.
  var trackGroup: TrackGroup? {
    switch self {
    case .audible: .audible
    case .legible: .legible
    case .visual: .visual
    default: nil
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
