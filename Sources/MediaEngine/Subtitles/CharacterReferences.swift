/// `&amp;` and its kind: numbers of any character, and the names of HTML 4.
enum CharacterReferences {
  /// Reads what follows an ampersand; nil leaves the cursor where it is, for then the ampersand means itself.
  static func consume(_ cursor: inout ScalarCursor) -> String? {
    let start = cursor.index
    if cursor.take("#") {
      if let text = number(&cursor) { return text }
      cursor.index = start
      return nil
    }
    var name = ""
    while let scalar = cursor.current, scalar.isASCIILetter || scalar.isASCIIDigit, name.utf8.count < 10 {
      name.unicodeScalars.append(scalar)
      cursor.index += 1
    }
    if let found = names[name], cursor.take(";") { return String(found) }
    cursor.index = start
    return nil
  }

  static func decode(_ text: String) -> String {
    guard text.utf8.contains(0x26) else { return text }
    var cursor = ScalarCursor(text)
    var result = String.UnicodeScalarView()
    while let scalar = cursor.next() {
      if scalar == "&", let found = consume(&cursor) {
        result.append(contentsOf: found.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func number(_ cursor: inout ScalarCursor) -> String? {
    let radix: UInt32 = cursor.take("x") || cursor.take("X") ? 16 : 10
    var value: UInt32 = 0
    var count = 0
    while let scalar = cursor.current, let digit = Character(scalar).hexDigitValue, digit < Int(radix) {
      if value < 0x11_0000 { value = value * radix + UInt32(digit) }
      count += 1
      cursor.index += 1
    }
    guard count > 0 else { return nil }
    _ = cursor.take(";")
    guard value != 0, let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
    return String(Character(scalar))
  }

  private static let names: [String: Character] = {
    var names: [String: Character] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "lrm": "\u{200E}", "rlm": "\u{200F}",
      "zwj": "\u{200D}", "zwnj": "\u{200C}", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}",
      "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„",
      "dagger": "†", "Dagger": "‡", "bull": "•", "hellip": "…", "permil": "‰", "prime": "′", "Prime": "″",
      "lsaquo": "‹", "rsaquo": "›", "oline": "‾", "frasl": "⁄", "euro": "€", "trade": "™", "larr": "←", "uarr": "↑",
      "rarr": "→", "darr": "↓", "harr": "↔", "minus": "−", "infin": "∞", "asymp": "≈", "ne": "≠", "le": "≤", "ge": "≥",
      "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ", "circ": "ˆ", "tilde": "˜",
      "spades": "♠", "clubs": "♣", "hearts": "♥", "diams": "♦", "sum": "∑", "radic": "√", "part": "∂", "loz": "◊",
    ]
    // ISO 8859-1 from U+00A0 on, in its order.
    let latin =
      "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro "
      + "para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil "
      + "Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave "
      + "Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml "
      + "igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute "
      + "thorn yuml"
    for (offset, name) in latin.split(separator: " ").enumerated() {
      names[String(name)] = Unicode.Scalar(UInt32(0xA0 + offset)).map { Character($0) }
    }
    return names
  }()
}
