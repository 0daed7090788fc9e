/// A terminal's size in cells and, where it tells, the size of a cell in pixels.
package struct TerminalGeometry: Hashable, Sendable {
  package var columns: Int
  package var rows: Int
  package var cellWidth: Int
  package var cellHeight: Int

  /// Unknown or absurd cell sizes become the usual 1:2 shape.
  package init(columns: Int, rows: Int, cellWidth: Int = 0, cellHeight: Int = 0) {
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
    let known = cellWidth > 1 && cellHeight > 1 && cellWidth <= 200 && cellHeight <= 400
    self.cellWidth = known ? cellWidth : 10
    self.cellHeight = known ? cellHeight : 20
  }
}

/// Where a picture stands among the cells, and how many pixels it has there.
package struct PicturePlacement: Hashable, Sendable {
  /// Left column and top row, from 0.
  package var column: Int
  package var row: Int
  package var columns: Int
  package var rows: Int
  /// Size in which the picture is wanted.
  package var pixelWidth: Int
  package var pixelHeight: Int

  /// Fits a picture of an aspect (width / height as shown) into the terminal's upper rows, centred, as large as possible.
  /// - Parameter reservedRows: rows at the bottom that stay free (the status line).
  /// - Parameter limit: most pixels in either direction (bounds the bytes of a frame).
  package init(
    aspect: Double, in geometry: TerminalGeometry, reservedRows: Int, style: TerminalPictureStyle, limit: Int = 1024
  ) {
    let freeRows = max(geometry.rows - reservedRows, 1)
    let shape = aspect.isFinite && aspect > 0.01 && aspect < 100 ? aspect : 16.0 / 9.0
    let areaWidth = Double(geometry.columns * geometry.cellWidth)
    let areaHeight = Double(freeRows * geometry.cellHeight)
    let width = min(areaWidth, areaHeight * shape)
    let height = min(areaHeight, areaWidth / shape)
    columns = min(max(Int((width / Double(geometry.cellWidth)).rounded()), 1), geometry.columns)
    rows = min(max(Int((height / Double(geometry.cellHeight)).rounded()), 1), freeRows)
    column = (geometry.columns - columns) / 2
    row = (freeRows - rows) / 2
    switch style {
    case .blocks:
      pixelWidth = columns
      pixelHeight = rows * 2
    case .sixel, .kitty:
      let scale = min(1, Double(limit) / max(Double(columns * geometry.cellWidth), Double(rows * geometry.cellHeight)))
      pixelWidth = max(Int(Double(columns * geometry.cellWidth) * scale), 1)
      pixelHeight = max(Int(Double(rows * geometry.cellHeight) * scale), 1)
    case .none:
      pixelWidth = 0
      pixelHeight = 0
    }
  }
}

/// How a terminal can show a picture.
package enum TerminalPictureStyle: String, Hashable, Sendable, CaseIterable {
  case kitty, sixel, blocks, none
}

/// How many colours text cells may have.
package enum TerminalColorDepth: Hashable, Sendable {
  case trueColor, palette256, monochrome
}
