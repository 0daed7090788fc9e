/// The languages that the user has chosen for programs, as every Linux program reads them.
///
/// `Locale.preferredLanguages` can't be used: Foundation does not read them here.
package enum SystemLanguages {
  /// By gettext's rules: `LC_ALL`, `LC_MESSAGES` or `LANG`, whichever is set first, names the language; `LANGUAGE` may
  /// put others before it.
  /// - Returns: BCP 47, the most wanted first; empty without a wish, which the locales C and POSIX are.
  package static func preferred(_ environment: [String: String]) -> [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let locale, let own = tag(locale) else { return [] }
    let list = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { tag(String($0)) }
    return list.contains(own) ? list : list + [own]
  }

  /// `de-AT` of `de_AT.UTF-8@euro`; nil for C and POSIX.
  private static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
    return name.split(separator: "_").joined(separator: "-")
  }
}
