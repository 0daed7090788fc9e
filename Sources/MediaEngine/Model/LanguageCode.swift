/// Codes of languages as containers write them.
package enum LanguageCode {
  /// The code of ISO 639-2/T: `deu` for Matroska's `ger`. Any other text is given back.
  package static func terminological(_ code: String) -> String { bibliographic[code.lowercased()] ?? code }

  /// ISO 639-2/B codes that differ from 639-2/T.
  private static let bibliographic: [String: String] = [
    "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
    "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
    "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
  ]
}
