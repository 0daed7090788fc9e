import AVFoundation

/// Times for people: `0:05`, `1:02:03`, `--:--` when unknown, `LIVE` for a stream without an end.
enum TimeText {
  static func text(_ time: CMTime, showsTenths: Bool = false) -> String {
    guard time.isNumeric else { return "--:--" }
    let seconds = time.seconds
    let magnitude = abs(seconds)
    guard magnitude < 1e9 else { return "--:--" }
    let tenths = Int((magnitude * 10).rounded(.down))
    let whole = tenths / 10
    let sign = seconds < 0 && tenths > 0 ? "-" : ""
    let minutes = whole / 60 % 60
    let rest = twoDigits(whole % 60) + (showsTenths ? ".\(tenths % 10)" : "")
    return whole >= 3600 ? "\(sign)\(whole / 3600):\(twoDigits(minutes)):\(rest)" : "\(sign)\(minutes):\(rest)"
  }

  static func duration(_ duration: CMTime) -> String {
    duration.isIndefinite ? "--:--" : duration.isPositiveInfinity ? "LIVE" : text(duration)
  }

  /// Reads `90`, `1:30`, `1:02:03.5`, `0:00:05.250`, `.5`. Microseconds count, what is finer does not.
  /// - Returns: nil for anything else.
  static func parse(_ text: String) -> CMTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last else { return nil }
    let secondsParts = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isFractionAlone = secondsParts.count == 2 && secondsParts[0].isEmpty && !secondsParts[1].isEmpty
    guard let whole = isFractionAlone ? 0 : digits(secondsParts[0]), parts.count == 1 || whole < 60 else { return nil }
    var microseconds: Int64 = 0
    if secondsParts.count == 2 {
      guard secondsParts[1].allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      let six = secondsParts[1].prefix(6)
      microseconds = Int64(six + String(repeating: "0", count: 6 - six.count)) ?? 0
    }
    var total = whole
    var unit: Int64 = 60
    for part in parts.dropLast().reversed() {
      guard let value = digits(part), unit == 3600 || parts.count == 2 || value < 60 else { return nil }
      total += value * unit
      unit *= 60
    }
    return CMTime(value: total * 1_000_000 + microseconds, timescale: 1_000_000)
  }

  private static func digits(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.count <= 9, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int64(text)
  }

  private static func twoDigits(_ value: Int) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }
}
