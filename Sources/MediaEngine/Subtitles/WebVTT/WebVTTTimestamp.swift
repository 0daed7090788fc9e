import CoreMedia

/// Times of WebVTT: `mm:ss.ttt`, with hours of any length before them.
enum WebVTTTimestamp {
  /// W3C WebVTT, “collect a WebVTT timestamp”; nil where there is none.
  static func collect(_ cursor: inout ScalarCursor) -> CMTime? {
    guard let first = cursor.digits(), cursor.take(":"), let second = cursor.digits(), second.count == 2 else {
      return nil
    }
    var (hours, minutes, seconds) = (Int64(0), first.value, second.value)
    if first.count != 2 || first.value > 59 || cursor.current == ":" {
      guard cursor.take(":"), let third = cursor.digits(), third.count == 2 else { return nil }
      (hours, minutes, seconds) = (first.value, second.value, third.value)
    }
    guard cursor.take("."), let thousandths = cursor.digits(), thousandths.count == 3, minutes <= 59, seconds <= 59
    else { return nil }
    // Twelve digits of hours at most: 3.6 · 10¹⁸ milliseconds fit.
    return CMTime(value: ((hours * 60 + minutes) * 60 + seconds) * 1_000 + thousandths.value, timescale: 1_000)
  }

  /// The whole text as a time.
  static func parse(_ text: some StringProtocol) -> CMTime? {
    var cursor = ScalarCursor(text)
    guard let time = collect(&cursor), cursor.isAtEnd else { return nil }
    return time
  }
}
