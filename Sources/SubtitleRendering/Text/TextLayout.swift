import MediaEngine

/// Finds each cue its place across the lines: after W3C WebVTT, “processing cue settings”, but what finds no room is kept
/// inside the picture, not left out. Pure.
struct TextLayout {
  let width: Int
  let height: Int
  let metrics: TextMetrics
  /// Lines that lie in the picture already.
  private var taken: [PixelRect] = []

  init(width: Int, height: Int, metrics: TextMetrics) {
    self.width = width
    self.height = height
    self.metrics = metrics
  }

  mutating func take(_ lines: PixelRect) { taken.append(lines) }

  /// - Parameters:
  ///   - lines: the block's, for vertical text turned already; along the lines they lie where they belong.
  ///   - isTop: cues without a place of their own go to the upper edge.
  /// - Returns: the lines in their place.
  mutating func place(_ lines: PixelRect, _ placement: CuePlacement, isTop: Bool) -> PixelRect {
    let axis = LineAxis(placement.direction, width: width, height: height)
    let size = axis.size(of: lines)
    let margin = min(
      axis.isVertical ? metrics.horizontalMargin : metrics.verticalMargin, max(axis.extent - size, 0) / 2)
    var low = margin
    var high = max(axis.extent - margin - size, margin)
    let start: Int
    let isBackward: Bool
    switch placement.line {
    case .automatic:
      isBackward = !isTop
      start = isTop ? low : high
    case .number(let number):
      isBackward = number < 0
      let offset = Int((number * metrics.size).bounded(-1e6...1e6, else: 0).rounded())
      start = min(max(isBackward ? axis.extent - margin + offset : margin + offset, low), high)
    case .percent(let percent):
      let at = Int((percent.bounded(0...100, else: 0) / 100 * Double(axis.extent)).rounded())
      let shift: Int =
        switch placement.lineAlignment {
        case .start: 0
        case .center: size / 2
        case .end: size
        }
      // Percent are counted from the left and upper edge, whichever way lines grow.
      let own = axis.isMirrored ? axis.extent - (at - shift) - size : at - shift
      let inside = min(max(own, 0), max(axis.extent - size, 0))
      // What an author puts at an edge may lie in its margin.
      (low, high) = (min(low, inside), max(high, inside))
      start = inside
      isBackward = start + size / 2 > axis.extent / 2
    }
    let found =
      free(from: start, lines, axis, low...high, isBackward) ?? free(from: start, lines, axis, low...high, !isBackward)
    let placed = axis.moved(lines, to: found ?? start)
    taken.append(placed)
    return placed
  }

  /// The first place on the way at which nothing lies.
  private func free(
    from: Int, _ lines: PixelRect, _ axis: LineAxis, _ range: ClosedRange<Int>, _ isBackward: Bool
  ) -> Int? {
    var start = from
    // Each step passes at least one of those that are there.
    for _ in 0...taken.count {
      guard range.contains(start) else { return nil }
      let own = axis.moved(lines, to: start)
      guard let hit = taken.first(where: { $0.intersects(own) }) else { return start }
      start = isBackward ? axis.start(of: hit) - axis.size(of: lines) : axis.start(of: hit) + axis.size(of: hit)
    }
    return nil
  }

  /// Cues of one region, the last at its lower edge and the others above it.
  /// - Returns: each one's lines in their place, and the region, beyond whose upper edge nothing is shown.
  mutating func place(_ blocks: [PixelRect], in region: RegionBox) -> [PixelRect] {
    var bottom = region.bounds.bottom
    var placed: [PixelRect] = []
    for lines in blocks.reversed() {
      bottom -= lines.height
      var own = lines
      own.y = bottom
      placed.append(own)
    }
    taken += placed.map { $0.intersection(region.bounds) }.filter { !$0.isEmpty }
    return placed.reversed()
  }
}

/// The direction in which lines follow each other, from the edge where the first one lies.
struct LineAxis {
  let isVertical: Bool
  /// From the right to the left.
  let isMirrored: Bool
  /// Of the picture.
  let extent: Int

  init(_ direction: CuePlacement.Direction, width: Int, height: Int) {
    isVertical = direction != .horizontal
    isMirrored = direction == .verticalGrowingLeft
    extent = isVertical ? width : height
  }

  func size(of rect: PixelRect) -> Int { isVertical ? rect.width : rect.height }

  func start(of rect: PixelRect) -> Int {
    isVertical ? isMirrored ? extent - rect.right : rect.x : rect.y
  }

  func moved(_ rect: PixelRect, to start: Int) -> PixelRect {
    var rect = rect
    if isVertical {
      rect.x = isMirrored ? extent - start - rect.width : start
    } else {
      rect.y = start
    }
    return rect
  }
}

/// A region of WebVTT in a picture's pixels.
struct RegionBox {
  let bounds: PixelRect

  /// W3C WebVTT, “processing model”: the anchor of the region lies on the viewport's.
  init(_ region: CueRegion, width: Int, height: Int, lineHeight: Double) {
    func share(_ percent: Double, _ whole: Double) -> Double { percent.bounded(0...100, else: 0) / 100 * whole }
    let (pictureWidth, pictureHeight) = (Double(width), Double(height))
    let own = (
      width: share(region.width, pictureWidth), height: min(Double(max(region.lines, 0)) * lineHeight, pictureHeight)
    )
    let x = share(region.viewportAnchorX, pictureWidth) - share(region.anchorX, own.width)
    let y = share(region.viewportAnchorY, pictureHeight) - share(region.anchorY, own.height)
    bounds = PixelRect(
      x: Int(min(max(x, 0), pictureWidth - own.width).rounded()),
      y: Int(min(max(y, 0), pictureHeight - own.height).rounded()), width: Int(own.width.rounded()),
      height: Int(own.height.rounded()))
  }
}
