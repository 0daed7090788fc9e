/// What is to be laid over a picture of one size: pieces in this order, each at its place.
package struct SubtitleOverlay: Hashable, Sendable {
  package struct Piece: Hashable, Sendable {
    /// Inside the picture.
    package let bounds: PixelRect
    /// Red, green, blue, alpha of each pixel, colours multiplied by alpha, no padding.
    package let pixels: [UInt8]
  }

  package let width: Int
  package let height: Int
  package let pieces: [Piece]
  /// One renderer's overlays of equal numbers are equal: who keeps pieces elsewhere need not look at them again.
  package let revision: UInt64

  package var isEmpty: Bool { pieces.isEmpty }

  /// What all pieces cover; empty without any.
  package var bounds: PixelRect {
    pieces.reduce(.zero) { $0.union($1.bounds) }
  }
}
