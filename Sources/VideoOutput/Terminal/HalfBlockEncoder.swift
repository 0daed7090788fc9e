/// Pictures as text: each cell is an upper half block whose foreground is the upper pixel and background the lower.
///
/// Remembers what the terminal shows and sends only cells that changed; a still picture costs nothing.
package struct HalfBlockEncoder: Sendable {
  private struct Cell: Equatable {
    var upper: RGBColor
    var lower: RGBColor
  }

  package let depth: TerminalColorDepth
  /// Nil where text stands.
  private var shown: [Cell?] = []
  private var texts: [TerminalText] = []
  private var placement: PicturePlacement?

  package init(depth: TerminalColorDepth) {
    self.depth = depth
  }

  /// The terminal was cleared or resized: the next picture is sent whole.
  package mutating func forget() {
    placement = nil
    shown = []
    texts = []
  }

  /// Escape sequences and text that turn what is shown into `image`. At most about 50 bytes a cell.
  /// - Parameter texts: stand over the picture; what lies outside of it is left out.
  package mutating func encode(
    _ image: RGBImage, at placement: PicturePlacement, texts: [TerminalText] = []
  ) -> [UInt8] {
    let isNew = placement != self.placement || shown.count != placement.columns * placement.rows
    if isNew {
      self.placement = placement
      shown = [Cell?](
        repeating: Cell(upper: .black, lower: .black), count: max(placement.columns * placement.rows, 0))
    }
    let texts = texts.filter { $0.fits(placement) }
    let areNew = isNew || texts != self.texts
    self.texts = texts
    var covered = Set<Int>()
    for text in texts {
      let first = text.row * placement.columns + text.column
      covered.formUnion(first..<first + text.columns)
    }
    var writer = TerminalWriter(depth: depth)
    for row in 0..<placement.rows {
      var cursorColumn = -1
      for column in 0..<placement.columns {
        let index = row * placement.columns + column
        guard !covered.contains(index) else {
          shown[index] = nil
          continue
        }
        let cell = Cell(
          upper: reduced(image.color(x: column, y: row * 2)), lower: reduced(image.color(x: column, y: row * 2 + 1)))
        guard isNew || shown[index] != cell else { continue }
        shown[index] = cell
        if cursorColumn != column {
          writer.move(row: placement.row + row, column: placement.column + column)
        }
        write(cell, to: &writer)
        cursorColumn = column + 1
      }
    }
    if areNew { for text in texts { writer.write(text, at: placement) } }
    return writer.finish()
  }

  /// Small differences of shade cost bytes without being seen: true colour loses two bits of each component; what is kept
  /// of the others is all that is sent of them, in `red`: the palette's index, or one of four shades.
  private func reduced(_ color: RGBColor) -> RGBColor {
    switch depth {
    case .trueColor:
      return RGBColor(red: color.red & 0xfc, green: color.green & 0xfc, blue: color.blue & 0xfc)
    case .palette256:
      let index = color.paletteIndex
      return RGBColor(red: index, green: 0, blue: 0)
    case .monochrome:
      let level = UInt8(clamping: color.luma / 64)
      return RGBColor(red: level, green: 0, blue: 0)
    }
  }

  private func write(_ cell: Cell, to writer: inout TerminalWriter) {
    switch depth {
    case .trueColor, .palette256:
      writer.foreground(cell.upper)
      writer.background(cell.lower)
      writer.text("▀")
    case .monochrome:
      let shades = [" ", "░", "▒", "▓", "█"]
      let level = Int(cell.upper.red) + Int(cell.lower.red)
      writer.text(shades[min(level * 2 / 3, 4)])
    }
  }
}

/// Builds escape sequences and leaves out colour changes that change nothing.
struct TerminalWriter {
  private var bytes: [UInt8] = []
  private var lastForeground: RGBColor?
  private var lastBackground: RGBColor?
  private let depth: TerminalColorDepth

  init(depth: TerminalColorDepth) {
    self.depth = depth
  }

  mutating func move(row: Int, column: Int) {
    text("\u{1b}[\(row + 1);\(column + 1)H")
  }

  mutating func foreground(_ color: RGBColor) {
    guard lastForeground != color else { return }
    lastForeground = color
    select(color, base: 38)
  }

  mutating func background(_ color: RGBColor) {
    guard lastBackground != color else { return }
    lastBackground = color
    select(color, base: 48)
  }

  private mutating func select(_ color: RGBColor, base: Int) {
    switch depth {
    case .trueColor: text("\u{1b}[\(base);2;\(color.red);\(color.green);\(color.blue)m")
    case .palette256: text("\u{1b}[\(base);5;\(color.red)m")
    case .monochrome: break
    }
  }

  mutating func write(_ text: TerminalText, at placement: PicturePlacement) {
    move(row: placement.row + text.row, column: placement.column + text.column)
    foreground(depth == .palette256 ? RGBColor(red: 231, green: 0, blue: 0) : RGBColor(red: 255, green: 255, blue: 255))
    background(depth == .palette256 ? RGBColor(red: 16, green: 0, blue: 0) : .black)
    self.text(text.text)
  }

  mutating func text(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// The bytes, colours put back when any was set.
  consuming func finish() -> [UInt8] {
    if lastForeground != nil || lastBackground != nil { text("\u{1b}[0m") }
    return bytes
  }
}
