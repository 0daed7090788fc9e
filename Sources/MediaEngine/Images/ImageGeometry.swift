import CoreGraphics

/// Sizes of a still picture: what a frame is scaled to, and how it is turned then. Pure.
struct ImageGeometry: Hashable, Sendable {
  /// Pixels of the scaled frame, not turned yet.
  var width: Int
  var height: Int
  var turn = PictureTurn.upright

  /// The longest side that a picture may have.
  private static let longest = 1 << 15

  init(_ format: VideoFormat, _ settings: ImageSettings) {
    if settings.appliesTransform { turn = PictureTurn(format.transform) }
    var (wide, high) = (Double(max(format.width, 1)), Double(max(format.height, 1)))
    if settings.aperture == .presentation {
      let aspect = format.pixelAspect
      wide = (wide * Double(max(aspect.horizontal, 1)) / Double(max(aspect.vertical, 1))).rounded()
    }
    let box =
      turn.swapsSides
      ? (settings.maximumSize.height, settings.maximumSize.width)
      : (settings.maximumSize.width, settings.maximumSize.height)
    let scale = [Self.share(box.0, of: wide), Self.share(box.1, of: high), Double(Self.longest) / max(wide, high, 1)]
      .reduce(1) { min($0, $1) }
    width = Self.pixels(wide * scale)
    height = Self.pixels(high * scale)
  }

  /// A limit of a side as a share of it; what is no limit gives 1.
  private static func share(_ limit: CGFloat, of side: Double) -> Double {
    limit.isFinite && limit > 0 ? Double(limit) / side : 1
  }

  private static func pixels(_ side: Double) -> Int { Int(min(max(side.rounded(), 1), Double(longest))) }
}
