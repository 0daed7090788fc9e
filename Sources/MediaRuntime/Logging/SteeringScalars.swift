extension Unicode.Scalar {
  /// A control character, a separator of lines or paragraphs, or a mark that turns the direction of writing: in text
  /// from outside (names, tags, messages) it could steer the terminal, or show other words than are there.
  package var steersText: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
