import Foundation

/// Reads numbers and dates out of tags, which are strings in most containers.
enum MetadataValue {
  static func number(_ text: String) -> NSNumber? {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    if let integer = Int64(trimmed) { return NSNumber(value: integer) }
    if let double = Double(trimmed), double.isFinite { return NSNumber(value: double) }
    return nil
  }

  /// ISO 8601 as containers write it: from a bare year to a full time with zone; UTC when none is given.
  static func date(_ text: String) -> Date? {
    let digits = text.trimmingCharacters(in: .whitespaces)
    for format in [
      "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXXXX", "yyyy-MM-dd'T'HH:mm:ss.SSSXXXXX", "yyyy-MM-dd'T'HH:mm:ssXXXXX",
      "yyyy-MM-dd'T'HH:mm:ssXX", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd",
      "yyyy-MM", "yyyy",
    ] {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.isLenient = false
      formatter.dateFormat = format
      if let date = formatter.date(from: digits) { return date }
    }
    return nil
  }
}
