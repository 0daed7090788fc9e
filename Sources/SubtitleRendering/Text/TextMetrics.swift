/// The viewer's choice in pixels of one picture. Pure.
struct TextMetrics: Hashable {
  /// Of a line, as libass counts: from the ascent to the descent.
  let size: Double
  let outline: Double
  let shadow: Double
  /// What a box reaches beyond its line.
  let padding: Int
  let horizontalMargin: Int
  let verticalMargin: Int
  /// Room around the picture in which libass draws too, so that nothing is cut before it is placed.
  let bleed: Int

  /// Of the height.
  private static let usualSize = 0.0528
  /// Pixels that are the least to be read.
  private static let leastSize = 12.0

  init(_ appearance: SubtitleAppearance, width: Int, height: Int) {
    let (width, height) = (Double(width), Double(height))
    // On upright pictures lines would hold but a few words.
    let usual = min(height, width * 0.75) * Self.usualSize
    let least = min(Self.leastSize, height / 6)
    size = min(max(max(usual, least) * appearance.scale.bounded(0.2...5, else: 1), 4), max(height / 2, 4))
    let wanted = appearance.outline.bounded(0...0.5, else: 0.055) * size
    outline = wanted > 0 ? max(wanted, 0.8) : 0
    shadow = appearance.shadow.bounded(0...0.5, else: 0) * size
    padding = Int((size * 0.12).rounded(.up))
    horizontalMargin = Int((appearance.horizontalMargin.bounded(0...0.4, else: 0) * width).rounded())
    verticalMargin = Int((appearance.verticalMargin.bounded(0...0.4, else: 0) * height).rounded())
    bleed = Int((size + outline + shadow).rounded(.up)) + padding + 4
  }
}
