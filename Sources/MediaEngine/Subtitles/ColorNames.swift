extension SubtitleColor {
  /// A colour of CSS: a name, `#rgb`, `#rrggbb` (with alpha too), `rgb()`, `rgba()`; and six digits without `#`, as SubRip
  /// files have it.
  init?(css text: some StringProtocol) {
    let text = text.lowercased().filter { !$0.isWhitespace }
    if let value = Self.names[text] {
      self.init(value)
    } else if text == "transparent" {
      self.init(red: 0, green: 0, blue: 0, alpha: 0)
    } else if text.hasPrefix("#") {
      self.init(hex: text.dropFirst())
    } else if text.hasPrefix("rgb"), let open = text.firstIndex(of: "("), text.last == ")" {
      self.init(components: text[text.index(after: open)...].dropLast())
    } else if text.utf8.count == 6 {
      self.init(hex: text[...])
    } else {
      return nil
    }
  }

  private init?(hex: Substring) {
    guard hex.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }), let value = UInt32(hex, radix: 16) else {
      return nil
    }
    func byte(_ shift: UInt32, _ bits: UInt32) -> UInt8 {
      bits == 4 ? UInt8(value >> shift & 15) * 17 : UInt8(value >> shift & 255)
    }
    switch hex.utf8.count {
    case 3: self.init(red: byte(8, 4), green: byte(4, 4), blue: byte(0, 4))
    case 4: self.init(red: byte(12, 4), green: byte(8, 4), blue: byte(4, 4), alpha: byte(0, 4))
    case 6: self.init(red: byte(16, 8), green: byte(8, 8), blue: byte(0, 8))
    case 8: self.init(red: byte(24, 8), green: byte(16, 8), blue: byte(8, 8), alpha: byte(0, 8))
    default: return nil
    }
  }

  private init?(components: Substring) {
    let parts = components.split(separator: ",")
    guard parts.count == 3 || parts.count == 4 else { return nil }
    func part(_ text: Substring, of whole: Double) -> UInt8? {
      let isPercent = text.hasSuffix("%")
      guard let number = Double(isPercent ? text.dropLast() : text), number.isFinite else { return nil }
      return UInt8(min(max(isPercent ? number * 2.55 : number * 255 / whole, 0), 255).rounded())
    }
    guard let red = part(parts[0], of: 255), let green = part(parts[1], of: 255), let blue = part(parts[2], of: 255)
    else { return nil }
    var alpha: UInt8 = 255
    if parts.count == 4 {
      guard let stated = part(parts[3], of: 1) else { return nil }
      alpha = stated
    }
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  static let names: [String: UInt32] = [
    "black": 0x000000, "silver": 0xC0C0C0, "gray": 0x808080, "grey": 0x808080, "white": 0xFFFFFF, "maroon": 0x800000,
    "red": 0xFF0000, "purple": 0x800080, "fuchsia": 0xFF00FF, "magenta": 0xFF00FF, "green": 0x008000, "lime": 0x00FF00,
    "olive": 0x808000, "yellow": 0xFFFF00, "navy": 0x000080, "blue": 0x0000FF, "teal": 0x008080, "aqua": 0x00FFFF,
    "cyan": 0x00FFFF, "orange": 0xFFA500, "pink": 0xFFC0CB, "gold": 0xFFD700, "brown": 0xA52A2A, "violet": 0xEE82EE,
    "indigo": 0x4B0082, "tomato": 0xFF6347, "salmon": 0xFA8072, "coral": 0xFF7F50, "crimson": 0xDC143C,
    "khaki": 0xF0E68C, "beige": 0xF5F5DC, "ivory": 0xFFFFF0, "tan": 0xD2B48C, "turquoise": 0x40E0D0,
    "skyblue": 0x87CEEB, "lightblue": 0xADD8E6, "darkblue": 0x00008B, "lightgreen": 0x90EE90, "darkgreen": 0x006400,
    "darkred": 0x8B0000, "darkorange": 0xFF8C00, "lightyellow": 0xFFFFE0, "lightgray": 0xD3D3D3,
    "lightgrey": 0xD3D3D3, "darkgray": 0xA9A9A9, "darkgrey": 0xA9A9A9, "papayawhip": 0xFFEFD5, "hotpink": 0xFF69B4,
    "deepskyblue": 0x00BFFF, "springgreen": 0x00FF7F, "orchid": 0xDA70D6, "plum": 0xDDA0DD, "lavender": 0xE6E6FA,
  ]
}
