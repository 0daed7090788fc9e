/// The override codes of SubStation Alpha that say how text looks, and where it is put roughly. Those of animation,
/// drawing and exact places are libass's to follow.
enum SubStationOverrides {
  /// - Parameter codes: what stands between the braces.
  /// - Parameter base: what `\r` and codes without a value go back to.
  static func apply(
    _ codes: String, base: TextStyle, to style: inout TextStyle, placement: inout CuePlacement?
  ) {
    for code in codes.split(separator: "\\") {
      let code = code.filter { !$0.isWhitespace || code.hasPrefix("fn") }
      if let value = rest(code, "an") {
        if placement == nil { placement = Int(value).flatMap { CuePlacement(numpad: $0) } }
      } else if let value = rest(code, "fn") {
        style.fontFamily = value.isEmpty ? base.fontFamily : value
      } else if let value = rest(code, "1c") ?? rest(code, "c") {
        // `\clip` begins alike.
        if value.isEmpty || value.hasPrefix("&") { style.color = color(value) ?? base.color }
      } else if let value = rest(code, "b") {
        guard let number = Int(value) else {
          if value.isEmpty { style.isBold = base.isBold }
          continue
        }
        style.isBold = number == 1 || number >= 600
      } else if let value = rest(code, "i") {
        toggle(value, base.isItalic, &style.isItalic)
      } else if let value = rest(code, "u") {
        toggle(value, base.isUnderlined, &style.isUnderlined)
      } else if let value = rest(code, "s") {
        toggle(value, base.isStruckThrough, &style.isStruckThrough)
      } else if let value = rest(code, "a") {
        if placement == nil { placement = Int(value).flatMap(legacy).flatMap { CuePlacement(numpad: $0) } }
      } else if code.hasPrefix("r") {
        style = base
      }
    }
  }

  private static func rest(_ code: String, _ name: String) -> String? {
    code.hasPrefix(name) ? String(code.dropFirst(name.count)) : nil
  }

  private static func toggle(_ value: String, _ base: Bool, _ target: inout Bool) {
    if value.isEmpty { target = base } else if let number = Int(value) { target = number != 0 }
  }

  /// `&HBBGGRR&`.
  static func color(_ text: String) -> SubtitleColor? {
    let digits = text.drop { $0 == "&" }.drop { $0 == "H" || $0 == "h" }.prefix { $0.isHexDigit }
    guard let value = UInt32(digits.suffix(6), radix: 16) else { return nil }
    return SubtitleColor(red: UInt8(value & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value >> 16 & 255))
  }

  /// SubStation 4's places: 1 to 3 at the bottom, with 4 more at the top, with 8 more in the middle.
  private static func legacy(_ value: Int) -> Int? {
    switch value {
    case 1...3: value
    case 5...7: value + 2
    case 9...11: value - 5
    default: nil
    }
  }
}
