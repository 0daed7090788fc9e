import MediaEngine

/// Where pictures of discs and broadcasts go in the film's picture. Pure.
enum PictureLayout {
  /// Each picture's rectangle in pixels of the shown picture, some of it perhaps outside; nil for one that has none.
  static func places(_ pictures: [SubtitlePicture], _ geometry: SubtitleGeometry) -> [PixelRect?] {
    guard let first = pictures.first(where: isSound) else { return pictures.map { _ in nil } }
    let frame =
      first.frameWidth > 0 && first.frameHeight > 0
      ? (
        width: min(first.frameWidth, SubtitlePicture.sides.upperBound),
        height: min(first.frameHeight, SubtitlePicture.sides.upperBound)
      )
      : (width: geometry.storageWidth, height: geometry.storageHeight)
    let mapping = Mapping(frame, geometry)
    var places = pictures.map { isSound($0) ? mapping.place($0) : nil }
    guard mapping.isCropped else { return places }
    // What lies where the film was cropped comes in again, all of it in one half by the same way.
    for isLower in [false, true] {
      let half = places.indices.filter { index in
        places[index].map { ($0.y + $0.height / 2 > geometry.height / 2) == isLower } ?? false
      }
      let whole = half.compactMap { places[$0] }.reduce(PixelRect.zero) { $0.union($1) }
      let dx = inward(whole.x, whole.width, geometry.width)
      let dy = inward(whole.y, whole.height, geometry.height)
      for index in half { places[index] = places[index]?.offset(x: dx, y: dy) }
    }
    return places
  }

  private static func isSound(_ picture: SubtitlePicture) -> Bool {
    SubtitlePicture.sides.contains(picture.width) && SubtitlePicture.sides.contains(picture.height)
      && picture.width * picture.height <= SubtitlePicture.areaLimit
      && picture.pixels.count >= picture.width * picture.height * 4
  }

  private static func inward(_ start: Int, _ length: Int, _ whole: Int) -> Int {
    if start + length > whole { return max(whole - length, 0) - start }
    return start < 0 ? -start : 0
  }

  /// From a picture's frame to the shown picture.
  private struct Mapping {
    let scaleX: Double
    let scaleY: Double
    let x: Double
    let y: Double
    let isCropped: Bool

    /// Frames of standard definition fill the picture, whatever their pixels' shape; so does a frame of the picture's own
    /// shape. Else the film was cropped, and its pixels and the frame's are squares of one size.
    init(_ frame: (width: Int, height: Int), _ geometry: SubtitleGeometry) {
      let (width, height) = (Double(geometry.width), Double(geometry.height))
      let across = width / Double(frame.width)
      let down = height / Double(frame.height)
      let stored = Double(geometry.storageWidth) / Double(geometry.storageHeight)
      let own = Double(frame.width) / Double(frame.height)
      let fills =
        frame.width <= 768 || abs(across / down - 1) < 0.02 || abs(stored / own - 1) < 0.02
      isCropped = !fills
      // Of a film that lost its bars above and below the width is whole, else the height.
      let scale = max(across, down)
      (scaleX, scaleY) = fills ? (across, down) : (scale, scale)
      x = fills ? 0 : (width - Double(frame.width) * scale) / 2
      y = fills ? 0 : (height - Double(frame.height) * scale) / 2
    }

    func place(_ picture: SubtitlePicture) -> PixelRect {
      func edge(_ value: Int, _ more: Int, _ scale: Double, _ offset: Double) -> Int {
        Int((Double(min(max(value, -100_000), 100_000) + more) * scale + offset).rounded())
      }
      let left = edge(picture.x, 0, scaleX, x)
      let top = edge(picture.y, 0, scaleY, y)
      let right = edge(picture.x, picture.width, scaleX, x)
      let bottom = edge(picture.y, picture.height, scaleY, y)
      return PixelRect(x: left, y: top, width: max(right - left, 1), height: max(bottom - top, 1))
    }
  }
}
