/// What languages were written in before Unicode.
enum LanguageEncodings {
  /// By how much an encoding of the language is likelier than another, per letter beyond ASCII: less than what tells words
  /// from noise. The code pages of Latin script differ in single letters, which a little would outweigh.
  static func advantage(of encoding: String) -> Double { latin.contains(encoding) ? 0.15 : 0.8 }

  private static let latin: Set = ["CP1252", "CP1250", "CP1254", "CP1257"]

  /// Names as in `EncodingDetector.candidates`; empty for what is not known.
  /// - Parameter tag: BCP 47, or three letters of ISO 639-2.
  static func encodings(of tag: String) -> Set<String> {
    let primary = tag.lowercased().prefix { $0 != "-" && $0 != "_" }
    return table.first { $0.languages.contains(primary) }?.encodings ?? []
  }

  private static let table: [(languages: Set<Substring>, encodings: Set<String>)] = [
    (
      ["ru", "rus", "uk", "ukr", "be", "bel", "bg", "bul", "mk", "mkd", "mac"],
      ["CP1251", "KOI8-R", "IBM866", "ISO-8859-5"]
    ),
    (["sr", "srp"], ["CP1250", "CP1251", "ISO-8859-5"]), (["el", "ell", "gre"], ["CP1253"]),
    (["tr", "tur", "az", "aze"], ["CP1254"]), (["he", "heb", "iw", "yi", "yid"], ["CP1255"]),
    (["ar", "ara", "fa", "fas", "per", "ur", "urd"], ["CP1256"]),
    (["lt", "lit", "lv", "lav", "et", "est"], ["CP1257"]), (["th", "tha"], ["CP874"]),
    (
      [
        "pl", "pol", "cs", "ces", "cze", "sk", "slk", "slo", "hu", "hun", "ro", "ron", "rum", "hr", "hrv", "sl", "slv",
        "bs", "bos", "sq", "sqi", "alb",
      ], ["CP1250"]
    ),
    (["zh", "zho", "chi"], ["GB18030", "BIG5-HKSCS"]), (["ja", "jpn"], ["CP932", "EUC-JP"]),
    (["ko", "kor"], ["CP949"]),
    (
      [
        "en", "eng", "de", "deu", "ger", "fr", "fra", "fre", "es", "spa", "it", "ita", "pt", "por", "nl", "nld", "dut",
        "sv",
        "swe", "da", "dan", "no", "nor", "nb", "nn", "fi", "fin", "is", "isl", "ice", "ca", "cat",
      ], ["CP1252"]
    ),
  ]
}
