public import Foundation

/// Chooses metadata items that may leave the device.
public final class AVMetadataItemFilter: NSObject, Sendable {
  /// Leaves out what tells of persons and places.
  public class func forSharing() -> AVMetadataItemFilter { AVMetadataItemFilter() }

  func accepts(_ item: AVMetadataItem) -> Bool {
    switch item.identifier {
    case .commonIdentifierLocation, .quickTimeMetadataLocationISO6709, .quickTimeUserDataLocationISO6709,
      .quickTimeMetadataLocationName, .quickTimeMetadataLocationBody, .quickTimeMetadataLocationNote,
      .iTunesMetadataAppleID, .iTunesMetadataAccountKind:
      false
    default: item.commonKey != .commonKeyLocation
    }
  }
}

extension AVMetadataItem {
  public class func metadataItems(
    from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
  ) -> [AVMetadataItem] {
    metadataItems.filter { item in
      if item.identifier == identifier { return true }
      guard let commonKey = item.commonKey else { return false }
      return AVMetadataItem.identifier(forKey: commonKey.rawValue as NSString, keySpace: .common) == identifier
    }
  }

  /// Those in preferred languages, the best first; items without a language come last.
  public class func metadataItems(
    from metadataItems: [AVMetadataItem], filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
  ) -> [AVMetadataItem] {
    var sorted: [AVMetadataItem] = []
    for language in preferredLanguages {
      let spoken = LanguageTag.sorted(metadataItems, by: { $0.extendedLanguageTag }, for: language)
      sorted += spoken.filter { item in !sorted.contains { $0 === item } }
    }
    return sorted + metadataItems.filter { $0.extendedLanguageTag == nil }
  }

  public class func metadataItems(
    from metadataItems: [AVMetadataItem], filteredBy metadataItemFilter: AVMetadataItemFilter
  ) -> [AVMetadataItem] {
    metadataItems.filter { metadataItemFilter.accepts($0) }
  }

  /// - Parameter key: nil takes every key of the space; `keySpace` nil every space.
  public class func metadataItems(
    from metadataItems: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
  ) -> [AVMetadataItem] {
    let wanted = key.map(MetadataKeyText.text)
    return metadataItems.filter { item in
      if keySpace == .common {
        return item.commonKey != nil && (wanted == nil || item.commonKey?.rawValue == wanted)
      }
      return (keySpace == nil || item.keySpace == keySpace)
        && (wanted == nil || item.key.map(MetadataKeyText.text) == wanted)
    }
  }

  /// Those whose language comes nearest to the locale's.
  public class func metadataItems(from metadataItems: [AVMetadataItem], with locale: Locale) -> [AVMetadataItem] {
    LanguageTag.best(of: metadataItems, by: { $0.extendedLanguageTag }, for: locale.identifier)
  }

  /// `keyspace/percent-encoded-key`; nil when the key is neither a string nor a number.
  public class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
    let text = MetadataKeyText.text(key)
    guard !text.isEmpty else { return nil }
    return AVMetadataIdentifier(MetadataKeyText.prefix(of: keySpace) + "/" + MetadataKeyText.escape(text))
  }

  public class func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
    guard let slash = identifier.rawValue.firstIndex(of: "/") else { return nil }
    return MetadataKeyText.keySpace(ofPrefix: String(identifier.rawValue[..<slash]))
  }

  public class func key(forIdentifier identifier: AVMetadataIdentifier) -> Any? {
    guard let slash = identifier.rawValue.firstIndex(of: "/") else { return nil }
    return MetadataKeyText.unescape(String(identifier.rawValue[identifier.rawValue.index(after: slash)...])) as NSString
  }
}

/// Keys as text, and the escaping of identifiers: `©` is one byte there, as in four-character codes.
enum MetadataKeyText {
  static func text(_ key: Any) -> String {
    switch key {
    case let key as AVMetadataKey: key.rawValue
    case let text as String: text
    case let text as NSString: text as String
    case let number as NSNumber: number.uint32Value.fourCharacters
    default: ""
    }
  }

  static func prefix(of keySpace: AVMetadataKeySpace) -> String {
    keySpace == .id3 ? "id3" : keySpace.rawValue
  }

  static func keySpace(ofPrefix prefix: String) -> AVMetadataKeySpace {
    prefix == "id3" ? .id3 : AVMetadataKeySpace(prefix)
  }

  private static let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7f}"))
    .union(CharacterSet(charactersIn: "-._~!$&'()*+,;=:@"))

  static func escape(_ key: String) -> String {
    var escaped = ""
    for scalar in key.unicodeScalars {
      if scalar == "©" {
        escaped += "%A9"
      } else if plain.contains(scalar) {
        escaped.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
    return escaped
  }

  /// Text that is not escaped as it should be stays as it is. A byte that is no part of UTF-8 is Latin-1, as in
  /// four-character codes.
  static func unescape(_ text: String) -> String {
    guard let bytes = bytes(of: text) else { return text }
    var key = ""
    var rest = bytes[...]
    while let first = rest.first {
      let character = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }.first
      key += character ?? String(Unicode.Scalar(first))
      rest = rest.dropFirst(character?.utf8.count ?? 1)
    }
    return key
  }

  private static func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.popFirst() {
      guard first == UInt8(ascii: "%") else {
        bytes.append(first)
        continue
      }
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 2 else { return nil }
      bytes.append(UInt8(digits[0] << 4 | digits[1]))
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}

extension UInt32 {
  /// The characters of a four-character code, Latin-1.
  fileprivate var fourCharacters: String {
    var text = ""
    for shift in [24, 16, 8, 0] {
      text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: self >> UInt32(shift))))
    }
    return text
  }
}
