/// A piece while it is put together: transparent at first.
struct PieceCanvas {
  let bounds: PixelRect
  private(set) var pixels: [UInt8]

  init(_ bounds: PixelRect) {
    self.bounds = bounds
    pixels = [UInt8](repeating: 0, count: max(bounds.width, 0) * max(bounds.height, 0) * 4)
  }

  var piece: SubtitleOverlay.Piece { SubtitleOverlay.Piece(bounds: bounds, pixels: pixels) }

  /// Lays a mask in its colour over what is there.
  /// - Parameter dx, dy: added to the mask's place.
  mutating func lay(_ image: AssImage, dx: Int = 0, dy: Int = 0) {
    blend(image, dx, dy) { target, red, green, blue, alpha in
      target[0] = AlphaMath.over(red, alpha, Int(target[0]))
      target[1] = AlphaMath.over(green, alpha, Int(target[1]))
      target[2] = AlphaMath.over(blue, alpha, Int(target[2]))
      target[3] = AlphaMath.over(alpha, alpha, Int(target[3]))
    }
  }

  /// Puts a mask where it covers more than what is there: boxes that meet don't get darker where they overlap.
  mutating func join(_ image: AssImage, dx: Int = 0, dy: Int = 0) {
    blend(image, dx, dy) { target, red, green, blue, alpha in
      guard alpha > Int(target[3]) else { return }
      target[0] = UInt8(red)
      target[1] = UInt8(green)
      target[2] = UInt8(blue)
      target[3] = UInt8(alpha)
    }
  }

  private mutating func blend(
    _ image: AssImage, _ dx: Int, _ dy: Int,
    _ body: (_ target: UnsafeMutablePointer<UInt8>, _ red: Int, _ green: Int, _ blue: Int, _ alpha: Int) -> Void
  ) {
    let placed = image.bounds.offset(x: dx, y: dy)
    let part = placed.intersection(bounds)
    guard !part.isEmpty else { return }
    let (bounds, opacity) = (bounds, image.alpha)
    let (red, green, blue) = (image.red, image.green, image.blue)
    pixels.withUnsafeMutableBufferPointer { target in
      guard let base = target.baseAddress else { return }
      for y in part.y..<part.bottom {
        let mask = image.row(y - placed.y)
        var pixel = base + ((y - bounds.y) * bounds.width + part.x - bounds.x) * 4
        for x in part.x - placed.x..<part.right - placed.x {
          let alpha = AlphaMath.divide(Int(mask[x]) &* opacity)
          if alpha > 0 {
            body(
              pixel, AlphaMath.divide(red &* alpha), AlphaMath.divide(green &* alpha), AlphaMath.divide(blue &* alpha),
              alpha)
          }
          pixel += 4
        }
      }
    }
  }

  /// Lays premultiplied pixels over what is there.
  mutating func lay(_ source: [UInt8], at place: PixelRect) {
    let part = place.intersection(bounds)
    guard !part.isEmpty, source.count >= place.width * place.height * 4 else { return }
    let bounds = bounds
    pixels.withUnsafeMutableBufferPointer { target in
      source.withUnsafeBufferPointer { source in
        for y in part.y..<part.bottom {
          var to = ((y - bounds.y) * bounds.width + part.x - bounds.x) * 4
          var from = ((y - place.y) * place.width + part.x - place.x) * 4
          for _ in 0..<part.width {
            let alpha = Int(source[from + 3])
            if alpha > 0 {
              for part in 0..<4 {
                target[to + part] = AlphaMath.over(Int(source[from + part]), alpha, Int(target[to + part]))
              }
            }
            to += 4
            from += 4
          }
        }
      }
    }
  }
}
