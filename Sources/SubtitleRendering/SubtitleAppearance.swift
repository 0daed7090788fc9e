package import MediaEngine

/// How a viewer wants text that no author has laid out: all but scripts and pictures.
package struct SubtitleAppearance: Hashable, Sendable {
  /// Times the usual size, which is 1/19 of the picture's height.
  package var scale = 1.0
  /// As fontconfig knows it; generic names too.
  package var fontFamily = "sans-serif"
  package var isBold = false
  package var color = SubtitleColor(red: 255, green: 255, blue: 255)
  package var outlineColor = SubtitleColor(red: 0, green: 0, blue: 0)
  /// Of the text's size; 0 for none.
  package var outline = 0.055
  package var shadowColor = SubtitleColor(red: 0, green: 0, blue: 0, alpha: 160)
  /// Of the text's size; 0 for none.
  package var shadow = 0.035
  /// A box behind each line; nil for none.
  package var background: SubtitleColor?
  /// Kept free at the left and right edge, of the picture's width.
  package var horizontalMargin = 0.035
  /// Kept free at the upper and lower edge, of the picture's height.
  package var verticalMargin = 0.035
  /// Speakers whom WebVTT names get a colour each, where the file gives none.
  package var colorsVoices = false

  package init() {}

  /// White, yellow, cyan, green and two more: what broadcasters tell speakers apart by.
  static let voices = [
    SubtitleColor(red: 255, green: 255, blue: 255), SubtitleColor(red: 255, green: 255, blue: 0),
    SubtitleColor(red: 0, green: 255, blue: 255), SubtitleColor(red: 0, green: 255, blue: 0),
    SubtitleColor(red: 255, green: 176, blue: 96), SubtitleColor(red: 255, green: 160, blue: 255),
  ]
}

/// What is drawn for.
package struct SubtitleGeometry: Hashable, Sendable {
  /// The picture as it is shown, upright, in pixels of the screen.
  package var width: Int
  package var height: Int
  /// The picture as it is stored, upright: tells pixels that are not square. 0 is as shown.
  package var storageWidth: Int
  package var storageHeight: Int

  package init(width: Int, height: Int, storageWidth: Int = 0, storageHeight: Int = 0) {
    self.width = width
    self.height = height
    self.storageWidth = storageWidth
    self.storageHeight = storageHeight
  }

  /// Nil where there is nothing to draw on, or more than any screen has.
  var checked: SubtitleGeometry? {
    guard 1...SubtitleRenderLimits.side ~= width, 1...SubtitleRenderLimits.side ~= height,
      width * height <= SubtitleRenderLimits.area
    else { return nil }
    var checked = self
    if !(1...SubtitleRenderLimits.side ~= storageWidth && 1...SubtitleRenderLimits.side ~= storageHeight) {
      (checked.storageWidth, checked.storageHeight) = (width, height)
    }
    return checked
  }
}
