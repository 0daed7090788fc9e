/// The encoding of a text file that does not tell it, found without knowing the language: byte order marks first, then
/// UTF-8 where it is valid, UTF-16 where every other byte is nearly always the same, else the old encoding whose reading
/// looks most like text (`TextPlausibility`).
package enum EncodingDetector {
  /// What the choice is made by; the rest of a file is like its beginning.
  private static let sampleSize = 65_536

  /// Read in the order given where two are equally plausible.
  static let candidates = [
    "CP1252", "CP1250", "CP1251", "CP1253", "CP1254", "CP1255", "CP1256", "CP1257", "CP874", "KOI8-R", "IBM866",
    "ISO-8859-5", "GB18030", "BIG5-HKSCS", "CP932", "EUC-JP", "CP949",
  ]

  /// Text and the encoding's name; never fails, for the last resort maps every byte.
  ///
  /// - Parameters:
  ///   - chosen: a name that the user gave, which is believed where the bytes allow it.
  ///   - language: BCP 47, as a file's name tells; the encodings that it was written in are preferred to others.
  package static func decode(
    _ bytes: [UInt8], as chosen: String? = nil, language: String? = nil
  ) -> (text: String, encoding: String) {
    if let chosen, let text = TextEncodings.decode(bytes, as: chosen) { return (text.withoutMark, chosen) }
    if let (name, mark) = mark(bytes), let text = lenient(bytes[mark...], name) { return (text, name) }
    if let name = wideEncoding(bytes), let text = lenient(bytes[...], name) { return (text.withoutMark, name) }
    if let text = String(validating: bytes, as: UTF8.self) { return (text, "UTF-8") }
    if isMostlyUTF8(bytes) { return (String(decoding: bytes, as: UTF8.self), "UTF-8") }
    if bytes.contains(0x1B), let text = TextEncodings.decode(bytes, as: "ISO-2022-JP") { return (text, "ISO-2022-JP") }
    return legacy(bytes, language)
  }

  private static func mark(_ bytes: [UInt8]) -> (String, Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return ("UTF-8", 3) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return ("UTF-32LE", 4) }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return ("UTF-32BE", 4) }
    if bytes.starts(with: [0xFF, 0xFE]) { return ("UTF-16LE", 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return ("UTF-16BE", 2) }
    return nil
  }

  /// Damage is replaced, not refused: the encoding is known.
  private static func lenient(_ bytes: ArraySlice<UInt8>, _ name: String) -> String? {
    switch name {
    case "UTF-8": return String(decoding: bytes, as: UTF8.self)
    case "UTF-16LE", "UTF-16BE":
      let isLittle = name == "UTF-16LE"
      let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index -> UInt16 in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isLittle ? second << 8 | first : first << 8 | second
      }
      return String(decoding: units, as: UTF16.self)
    default: return TextEncodings.decode(bytes, as: name)
    }
  }

  /// UTF-16 without a mark: spaces, digits and line ends have a zero as their high byte.
  private static func wideEncoding(_ bytes: [UInt8]) -> String? {
    let sample = bytes.prefix(sampleSize)
    guard sample.count >= 8 else { return nil }
    var zeros = [0, 0]
    for (index, byte) in sample.enumerated() where byte == 0 { zeros[index & 1] += 1 }
    let half = sample.count / 2
    // Times and line ends alone make up a tenth of the characters of any subtitles.
    if zeros[1] > half / 10, zeros[0] * 20 < zeros[1] { return "UTF-16LE" }
    if zeros[0] > half / 10, zeros[1] * 20 < zeros[0] { return "UTF-16BE" }
    return nil
  }

  /// Some damage in text that is otherwise full of well-formed sequences.
  private static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
    let sample = bytes.prefix(sampleSize)
    var (good, bad) = (0, 0)
    var index = sample.startIndex
    while index < sample.endIndex {
      let byte = sample[index]
      let length = byte < 0x80 ? 1 : 0xC2...0xDF ~= byte ? 2 : 0xE0...0xEF ~= byte ? 3 : 0xF0...0xF4 ~= byte ? 4 : 0
      let end = index + max(length, 1)
      if length > 1, end <= sample.endIndex, sample[(index + 1)..<end].allSatisfy({ $0 & 0xC0 == 0x80 }) {
        good += 1
        index = end
      } else {
        // A sequence that the sample cuts is no damage.
        if length != 1, sample.endIndex - index > 3 { bad += 1 }
        index += 1
      }
    }
    return good > 10 && good > bad * 10
  }

  private static func legacy(_ bytes: [UInt8], _ language: String?) -> (text: String, encoding: String) {
    let sample = sampleLines(bytes)
    let usual = language.map(LanguageEncodings.encodings) ?? []
    var best: (name: String, score: Double)?
    for name in candidates {
      guard let text = TextEncodings.decode(sample, as: name) else { continue }
      let score = TextPlausibility.score(text) + (usual.contains(name) ? LanguageEncodings.advantage(of: name) : 0)
      if score > best?.score ?? -.infinity { best = (name, score) }
    }
    if let best, let text = TextEncodings.decode(bytes, as: best.name) { return (text, best.name) }
    if let best, let text = patched(bytes, best.name) { return (text, best.name) }
    return (String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })), "ISO-8859-1")
  }

  /// Lines with letters beyond ASCII, for only they tell anything.
  private static func sampleLines(_ bytes: [UInt8]) -> [UInt8] {
    var sample: [UInt8] = []
    for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) where line.contains(where: { $0 >= 0x80 }) {
      sample += line
      sample.append(10)
      if sample.count > sampleSize { break }
    }
    return sample
  }

  /// Line by line, so that one damaged line costs only itself.
  private static func patched(_ bytes: [UInt8], _ name: String) -> String? {
    var lines: [String] = []
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      lines.append(
        TextEncodings.decode(line, as: name)
          ?? String(String.UnicodeScalarView(line.map { $0 < 0x80 ? Unicode.Scalar($0) : "\u{FFFD}" })))
    }
    return lines.joined(separator: "\n")
  }
}

extension String {
  /// Without a byte order mark at its start.
  fileprivate var withoutMark: String {
    unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
  }
}
