package import CoreMedia

/// Text in pieces of one look each.
package struct StyledText: Hashable, Sendable {
  package struct Run: Hashable, Sendable {
    package var text: String
    package var style: TextStyle

    package init(_ text: String, _ style: TextStyle = TextStyle()) {
      self.text = text
      self.style = style
    }
  }

  package private(set) var runs: [Run] = []

  package init() {}

  package init(_ text: String) { append(text, TextStyle()) }

  package var string: String { runs.map(\.text).joined() }
  package var isEmpty: Bool { runs.isEmpty }

  /// Joins what looks alike.
  package mutating func append(_ text: String, _ style: TextStyle) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += text
    } else {
      runs.append(Run(text, style))
    }
  }

  /// Without white space at its start and end.
  package mutating func trim() {
    while let first = runs.first {
      let kept = first.text.drop { $0.isWhitespace }
      if !kept.isEmpty {
        runs[0].text = String(kept)
        break
      }
      runs.removeFirst()
    }
    while let last = runs.last {
      guard let end = last.text.lastIndex(where: { !$0.isWhitespace }) else {
        runs.removeLast()
        continue
      }
      runs[runs.count - 1].text = String(last.text[...end])
      break
    }
  }
}

/// How text looks; nil is the viewer's own choice.
package struct TextStyle: Hashable, Sendable {
  package enum Ruby: Hashable, Sendable { case base, annotation }

  package var isBold = false
  package var isItalic = false
  package var isUnderlined = false
  package var isStruckThrough = false
  package var color: SubtitleColor?
  package var background: SubtitleColor?
  package var fontFamily: String?
  /// Times the usual size.
  package var scale: Double?
  /// Who speaks.
  package var voice: String?
  /// BCP 47.
  package var language: String?
  package var ruby: Ruby?
  /// Item time before which the text is still to come (karaoke, captions written as they are spoken).
  package var time: CMTime?

  package init() {}
}

/// A colour in sRGB, not multiplied by alpha.
package struct SubtitleColor: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8
  package var alpha: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  init(_ value: UInt32) {
    self.init(red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }
}
