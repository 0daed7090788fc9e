import MediaEngine

/// Draws pictures of discs and broadcasts; keeps what it drew the last time.
struct PicturePainter {
  private var cues: [SubtitleCue] = []
  private var geometry: SubtitleGeometry?
  private var pieces: [SubtitleOverlay.Piece] = []

  mutating func draw(_ cues: [SubtitleCue], _ geometry: SubtitleGeometry) -> [SubtitleOverlay.Piece] {
    if cues == self.cues, geometry == self.geometry { return pieces }
    (self.cues, self.geometry) = (cues, geometry)
    let frame = PixelRect(x: 0, y: 0, width: geometry.width, height: geometry.height)
    var parts: [(picture: SubtitlePicture, place: PixelRect, part: PixelRect)] = []
    for cue in cues {
      guard case .pictures(let pictures) = cue.content else { continue }
      for (picture, place) in zip(pictures, PictureLayout.places(pictures, geometry)) {
        guard let place, parts.count < SubtitleRenderLimits.pictures else { continue }
        let part = place.intersection(frame)
        if !part.isEmpty { parts.append((picture, place, part)) }
      }
    }
    pieces = PieceClusters.group(parts.map(\.part)).map { cluster in
      var canvas = PieceCanvas(cluster.bounds)
      for (picture, place, part) in cluster.members.map({ parts[$0] }) {
        let pixels = PictureScaler.scale(
          picture.pixels, width: picture.width, height: picture.height, to: place, part: part)
        canvas.lay(pixels, at: part)
      }
      return canvas.piece
    }
    return pieces
  }
}
