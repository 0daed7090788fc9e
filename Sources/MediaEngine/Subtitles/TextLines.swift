extension String {
  /// Split at line feeds, carriage returns and pairs of both.
  func subtitleLines() -> [Substring] {
    let scalars = unicodeScalars
    var lines: [Substring] = []
    var start = scalars.startIndex
    var index = start
    while index < scalars.endIndex {
      let scalar = scalars[index]
      let next = scalars.index(after: index)
      guard scalar == "\n" || scalar == "\r" else {
        index = next
        continue
      }
      lines.append(self[start..<index])
      index = scalar == "\r" && next < scalars.endIndex && scalars[next] == "\n" ? scalars.index(after: next) : next
      start = index
    }
    lines.append(self[start...])
    return lines
  }
}

extension StringProtocol {
  /// So many scalars at most.
  func limited(to count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }

  /// Whether the scalars occur as they are, whatever they combine to.
  func holdsArrow() -> Bool {
    var matched = 0
    for byte in utf8 {
      switch (byte, matched) {
      case (0x2D, 0), (0x2D, 1): matched += 1
      case (0x2D, 2): break
      case (0x3E, 2): return true
      default: matched = 0
      }
    }
    return false
  }
}

extension Unicode.Scalar {
  var isASCIIDigit: Bool { ("0"..."9").contains(self) }
  var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
  /// What HTML calls ASCII white space.
  var isSubtitleSpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\u{C}" || self == "\r" }
}

/// A place in a list of scalars, never beyond its end.
struct ScalarCursor {
  let scalars: [Unicode.Scalar]
  var index = 0

  init(_ text: some StringProtocol) { scalars = Array(text.unicodeScalars) }

  var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  var isAtEnd: Bool { index >= scalars.count }

  mutating func next() -> Unicode.Scalar? {
    guard let current else { return nil }
    index += 1
    return current
  }

  mutating func skipSpace() {
    while current?.isSubtitleSpace == true { index += 1 }
  }

  mutating func take(_ expected: Unicode.Scalar) -> Bool {
    guard current == expected else { return false }
    index += 1
    return true
  }

  mutating func take(_ expected: String) -> Bool {
    let wanted = Array(expected.unicodeScalars)
    guard scalars.count - index >= wanted.count, Array(scalars[index..<index + wanted.count]) == wanted else {
      return false
    }
    index += wanted.count
    return true
  }

  /// A run of digits, at most twelve of which count; nil without any.
  mutating func digits() -> (value: Int64, count: Int)? {
    var value: Int64 = 0
    var count = 0
    while let digit = current, digit.isASCIIDigit {
      if count < 12 { value = value * 10 + Int64(digit.value - 48) }
      count += 1
      index += 1
    }
    return count > 0 ? (value, count) : nil
  }

  var rest: String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[min(index, scalars.count)...])
    return String(text)
  }
}
