/// A line of text over a picture of blocks: light on dark, in whole cells.
package struct TerminalText: Hashable, Sendable {
  /// From the picture's left and upper edge.
  package var column: Int
  package var row: Int
  /// Cells that the text takes.
  package var columns: Int
  /// Without anything that steers the terminal.
  package var text: String

  package init(column: Int, row: Int, columns: Int, text: String) {
    self.column = column
    self.row = row
    self.columns = columns
    self.text = text
  }

  func fits(_ placement: PicturePlacement) -> Bool {
    row >= 0 && row < placement.rows && column >= 0 && columns > 0 && columns <= placement.columns - column
  }
}
