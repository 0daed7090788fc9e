import Foundation

/// One item of an asset's metadata.
struct ReadTag: Codable {
  var key: String
  var commonKey: String?
  /// Nil where the value is no text.
  var text: String?
}

/// What tinytag reads from a file, under its own names; what it says of the sound is another part's.
struct ExpectedTags: Decodable, Sendable {
  private let texts: [String: String]
  private let numbers: [String: Int]
  /// Under names of tinytag's own, so that only the values can be compared.
  private let extra: [String: Values]

  private static let notTags: Set<String> = [
    "filesize", "duration", "channels", "samplerate", "bitrate", "bitdepth", "extra",
  ]

  /// A text, a number or several texts.
  private struct Values: Decodable, Sendable {
    let all: [String]

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let texts = try? value.decode([String].self) {
        all = texts
      } else if let number = try? value.decode(Int64.self) {
        all = ["\(number)"]
      } else {
        all = [try value.decode(String.self)]
      }
    }
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Name.self)
    var texts: [String: String] = [:]
    var numbers: [String: Int] = [:]
    for name in values.allKeys where !Self.notTags.contains(name.stringValue) {
      if let number = try? values.decode(Int.self, forKey: name) {
        numbers[name.stringValue] = number
      } else {
        texts[name.stringValue] = try values.decode(String.self, forKey: name)
      }
    }
    self.texts = texts
    self.numbers = numbers
    extra = try values.decodeIfPresent([String: Values].self, forKey: Name(stringValue: "extra")) ?? [:]
  }

  /// Where blanks at a value's ends, which fixed fields are filled with, say nothing.
  func differences(from tags: [ReadTag]) -> [String] {
    var found: [String] = []
    for (name, wanted) in texts.sorted(by: { $0.key < $1.key }) where !wanted.trimmed.isEmpty {
      let had = tags.filter { Self.means($0, name) }.compactMap(\.text?.trimmed)
      if !had.contains(wanted.trimmed) { found.append("\(name) \(had), not “\(wanted)”") }
    }
    for (name, wanted) in numbers.sorted(by: { $0.key < $1.key }) {
      let had = Self.numbers(name, tags)
      if !had.contains(wanted) { found.append("\(name) \(had), not \(wanted)") }
    }
    let all = Set(tags.compactMap(\.text?.trimmed))
    for (name, wanted) in extra.sorted(by: { $0.key < $1.key }) {
      for value in wanted.all.map(\.trimmed) where !value.isEmpty && !all.contains(value) {
        found.append("extra \(name) “\(value)” is missing")
      }
    }
    return found
  }

  /// Whether a tag is what tinytag has under a name.
  private static func means(_ tag: ReadTag, _ name: String) -> Bool {
    if let common = commonKeys[name], tag.commonKey == common { return true }
    return keys[name]?.contains(tag.key.lowercased()) ?? false
  }

  /// `3/12` holds a number and a total; Vorbis comments have a field for each.
  private static func numbers(_ name: String, _ tags: [ReadTag]) -> [Int] {
    let parts = name.split(separator: "_")
    let isTotal = parts.count == 2
    guard let first = parts.first else { return [] }
    return tags.compactMap { tag -> Int? in
      guard let text = tag.text?.trimmed else { return nil }
      if isTotal, ["\(first)total", "total\(first)s"].contains(tag.key.lowercased()) { return Int(text) }
      guard means(tag, String(first)) else { return nil }
      let halves = text.split(separator: "/", omittingEmptySubsequences: false)
      return halves.dropFirst(isTotal ? 1 : 0).first.flatMap { Int(String($0).trimmed) }
    }
  }

  private static let commonKeys = [
    "title": "title", "artist": "artist", "album": "albumName", "genre": "type", "year": "creationDate",
    "composer": "creator",
  ]

  private static let keys: [String: Set<String>] = [
    "albumartist": ["tpe2", "aart", "albumartist", "album artist", "album_artist"],
    "comment": ["comm", "©cmt", "comment", "comments", "icmt"],
    "track": ["trck", "trkn", "tracknumber", "iprt", "itrk", "track"],
    "disc": ["tpos", "disk", "discnumber", "disc"],
    "composer": ["tcom", "©wrt", "composer"],
  ]
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
