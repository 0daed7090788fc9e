public import Foundation
import MediaEngine

/// One alternative of a group: a track with its language and roles.
open class AVMediaSelectionOption: NSObject, NSCopying {
  let track: MediaTrack
  /// Position among the tracks of the group, to tell apart options that nothing else does.
  private let position: Int

  init(_ track: MediaTrack, among tracks: [MediaTrack]) {
    self.track = track
    position = tracks.firstIndex { $0.id == track.id } ?? 0
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVMediaSelectionOption else { return false }
    return track.id == other.track.id && propertyFields == other.propertyFields
  }

  open override var hash: Int { track.id.hashValue }

  open var mediaType: AVMediaType { track.kind.mediaType }
  /// Four-character codes of the samples.
  open var mediaSubTypes: [NSNumber] { [NSNumber(value: track.codec.fourCC)] }
  open var isPlayable: Bool { track.isDecodable }
  /// BCP 47, made from the container's language where it has no tag.
  open var extendedLanguageTag: String? {
    track.extendedLanguageTag ?? track.languageCode.map { LanguageTag.extended($0) }
  }
  open var locale: Locale? { extendedLanguageTag.map { Locale(identifier: $0) } }
  open var commonMetadata: [AVMetadataItem] { track.metadataItems.filter { $0.commonKey != nil } }
  open var availableMetadataFormats: [String] { Set(track.metadataItems.map(\.format.rawValue)).sorted() }

  open func metadata(forFormat format: String) -> [AVMetadataItem] {
    track.metadataItems.filter { $0.format.rawValue == format }
  }

  open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
    track.mediaCharacteristics.contains(mediaCharacteristic)
  }

  /// The option in another group that belongs to this one, such as forced subtitles in the same language.
  open func associatedMediaSelectionOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
    guard let language = extendedLanguageTag else { return nil }
    let same = LanguageTag.sorted(mediaSelectionGroup.options, by: { $0.extendedLanguageTag }, for: language)
    guard mediaSelectionGroup.characteristic == .legible else { return same.first }
    return same.first { $0.hasMediaCharacteristic(.containsOnlyForcedSubtitles) }
  }

  /// Enough to find the option again in another session: `AVMediaSelectionGroup.mediaSelectionOption(withPropertyList:)`.
  open func propertyList() -> Any { propertyFields }

  var propertyFields: [String: String] {
    var fields = ["MediaSelectionOptionsMediaType": mediaType.rawValue, "MediaSelectionOptionsPosition": "\(position)"]
    if let extendedLanguageTag { fields["MediaSelectionOptionsExtendedLanguageTag"] = extendedLanguageTag }
    if let title = track.title { fields["MediaSelectionOptionsName"] = title }
    return fields
  }

  /// The language's name and what is special, for menus, in the user's language.
  open var displayName: String { displayName(with: .current) }

  open func displayName(with locale: Locale) -> String {
    let language = extendedLanguageTag.flatMap { tag in
      tag == "und" ? nil : locale.localizedString(forIdentifier: tag) ?? tag
    }
    var name = language ?? track.title ?? "Track \(position + 1)"
    if language != nil, let title = track.title, title != language { name += " – \(title)" }
    let qualifiers = Self.qualifiers.filter { hasMediaCharacteristic($0.0) }.map(\.1)
    if mediaType == .closedCaption { name += " (CC)" }
    if !qualifiers.isEmpty { name += " (\(qualifiers.joined(separator: ", ")))" }
    return name
  }

  private static let qualifiers: [(AVMediaCharacteristic, String)] = [
    (.transcribesSpokenDialogForAccessibility, "SDH"), (.describesVideoForAccessibility, "AD"),
    (.containsOnlyForcedSubtitles, "Forced"),
  ]
}
