/// Where a cue is put, in the terms of WebVTT (W3C WebVTT, “WebVTT cues”); other formats are told in them.
package struct CuePlacement: Hashable, Sendable {
  package enum Direction: Hashable, Sendable {
    case horizontal
    /// Lines go from right to left.
    case verticalGrowingLeft
    case verticalGrowingRight
  }

  package enum Line: Hashable, Sendable {
    case automatic
    /// The n-th line from the top, from −1 on from the bottom.
    case number(Double)
    /// Of the picture's height (width for vertical text).
    case percent(Double)
  }

  package enum LineAlignment: Hashable, Sendable { case start, center, end }
  package enum PositionAlignment: Hashable, Sendable { case automatic, lineLeft, center, lineRight }
  package enum TextAlignment: Hashable, Sendable { case start, center, end, left, right }

  package var direction = Direction.horizontal
  package var line = Line.automatic
  package var lineAlignment = LineAlignment.start
  /// Percent across the line; nil follows the text's alignment.
  package var position: Double?
  package var positionAlignment = PositionAlignment.automatic
  /// Percent of the picture that a line may fill.
  package var size = 100.0
  package var textAlignment = TextAlignment.center
  package var region: CueRegion?

  package init() {}

  /// The nine places of SubStation's `\an`: 1 to 3 at the bottom, 4 to 6 in the middle, 7 to 9 at the top.
  init?(numpad: Int) {
    guard 1...9 ~= numpad else { return nil }
    switch (numpad - 1) / 3 {
    case 1:
      line = .percent(50)
      lineAlignment = .center
    case 2: line = .number(0)
    default: break
    }
    switch (numpad - 1) % 3 {
    case 0: textAlignment = .left
    case 2: textAlignment = .right
    default: break
    }
  }
}

/// A part of the picture in which cues stack (W3C WebVTT, “WebVTT regions”). All numbers but `lines` are percent.
package struct CueRegion: Hashable, Sendable {
  package var identifier = ""
  package var width = 100.0
  package var lines = 3
  package var anchorX = 0.0
  package var anchorY = 100.0
  package var viewportAnchorX = 0.0
  package var viewportAnchorY = 100.0
  /// New cues push older ones up.
  package var scrollsUp = false

  package init() {}
}
