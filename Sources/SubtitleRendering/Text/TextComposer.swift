import CoreMedia
import MediaEngine
import MediaRuntime

/// Lays out the text of all layers of one moment. What is shown already keeps its place as long as it is shown.
struct TextComposer {
  /// Text that has been drawn and placed.
  struct Placed {
    var layer: Int
    var bounds: PixelRect
    var pixels: [UInt8]
  }

  /// A cue among those shown; equal ones are counted.
  private struct Key: Hashable {
    var layer: Int
    var cue: SubtitleCue
    var repetition: Int
  }

  private struct Entry {
    var key: Key
    var block: TextBlock
    var isTop: Bool
  }

  private var places: [Key: PixelRect] = [:]
  private var voices: [String: SubtitleColor] = [:]

  /// How many pieces of text are still to come: a picture holds as long as it is the same.
  static func future(_ shown: ShownSubtitles, at time: CMTime) -> Int {
    var count = 0
    for layer in shown.layers {
      let time = time - layer.delay
      for cue in layer.cues {
        guard case .text(let text) = cue.content else { continue }
        count += future(text, at: time)
      }
    }
    return count
  }

  private static func future(_ text: StyledText, at time: CMTime) -> Int {
    text.runs.reduce(0) { count, run in
      guard let said = run.style.time, said.isNumeric, said > time else { return count }
      return count + 1
    }
  }

  mutating func forgetPlaces() { places = [:] }

  mutating func compose(
    _ shown: ShownSubtitles, at time: CMTime, _ geometry: SubtitleGeometry, _ painter: TextPainter,
    _ appearance: SubtitleAppearance
  ) throws(MediaError) -> [Placed] {
    var entries: [Entry] = []
    for (index, layer) in shown.layers.enumerated() {
      for (cue, text) in LayerText.cues(of: layer) {
        let key = Key(layer: index, cue: cue, repetition: entries.count { $0.key.layer == index && $0.key.cue == cue })
        let job = job(text, cue.placement, geometry, painter.metrics, appearance, at: time - layer.delay)
        guard let block = try painter.block(job, at: time - layer.delay) else { continue }
        entries.append(Entry(key: key, block: block, isTop: layer.place == .top))
      }
    }
    painter.endPicture()
    return place(entries, geometry, painter.metrics)
  }

  private mutating func job(
    _ text: StyledText, _ placement: CuePlacement, _ geometry: SubtitleGeometry, _ metrics: TextMetrics,
    _ appearance: SubtitleAppearance, at time: CMTime
  ) -> TextPainter.Job {
    let isVertical = placement.direction != .horizontal
    let region = placement.region.map {
      RegionBox($0, width: geometry.width, height: geometry.height, lineHeight: metrics.size).bounds
    }
    let column = TextColumn(
      placement, isRightToLeft: text.isRightToLeft, from: region?.x ?? 0,
      length: region?.width ?? (isVertical ? geometry.height : geometry.width),
      margin: region != nil ? 0 : isVertical ? metrics.verticalMargin : metrics.horizontalMargin,
      least: Int(metrics.size * 4))
    if appearance.colorsVoices {
      for voice in text.runs.compactMap(\.style.voice) where voices[voice] == nil && voices.count < 256 {
        voices[voice] = SubtitleAppearance.voices[voices.count % SubtitleAppearance.voices.count]
      }
    }
    var spoken: [String: SubtitleColor] = [:]
    for voice in text.runs.compactMap(\.style.voice) { spoken[voice] = voices[voice] }
    // Turned clockwise, lines that follow each other go to the left.
    let ordered = placement.direction == .verticalGrowingRight ? text.linesReversed : text
    return TextPainter.Job(
      text: ordered, column: column, isVertical: isVertical, future: Self.future(text, at: time), voices: spoken)
  }

  private mutating func place(_ entries: [Entry], _ geometry: SubtitleGeometry, _ metrics: TextMetrics) -> [Placed] {
    var layout = TextLayout(width: geometry.width, height: geometry.height, metrics: metrics)
    var lines = [PixelRect?](repeating: nil, count: entries.count)
    var clips = [PixelRect?](repeating: nil, count: entries.count)
    for (index, entry) in entries.enumerated() {
      guard let place = places[entry.key], place.width == entry.block.lines.width,
        place.height == entry.block.lines.height
      else { continue }
      lines[index] = place
      layout.take(place)
    }
    var regions: [CueRegion: [Int]] = [:]
    for (index, entry) in entries.enumerated() {
      if let region = entry.key.cue.placement.region { regions[region, default: []].append(index) }
    }
    for (region, members) in regions.sorted(by: { ($0.value.first ?? 0) < ($1.value.first ?? 0) }) {
      let box = RegionBox(region, width: geometry.width, height: geometry.height, lineHeight: metrics.size)
      let placed = layout.place(members.map { entries[$0].block.lines }, in: box)
      for (index, place) in zip(members, placed) {
        lines[index] = place
        // Outlines of its own lines may reach beyond it.
        let top = box.bounds.y - metrics.padding
        clips[index] = PixelRect(x: 0, y: top, width: geometry.width, height: geometry.height - top)
      }
    }
    places = [:]
    let frame = PixelRect(x: 0, y: 0, width: geometry.width, height: geometry.height)
    return entries.enumerated().compactMap { index, entry in
      let block = entry.block
      let place = lines[index] ?? layout.place(block.lines, entry.key.cue.placement, isTop: entry.isTop)
      if entry.key.cue.placement.region == nil { places[entry.key] = place }
      let bounds = block.bounds.offset(x: place.x - block.lines.x, y: place.y - block.lines.y)
      return Placed(layer: entry.key.layer, bounds: bounds, pixels: block.pixels)
        .cut(to: clips[index]?.intersection(frame) ?? frame)
    }
  }
}

extension TextComposer.Placed {
  /// Nil when nothing is left.
  fileprivate func cut(to frame: PixelRect) -> TextComposer.Placed? {
    let part = bounds.intersection(frame)
    guard !part.isEmpty else { return nil }
    guard part != bounds else { return self }
    var canvas = PieceCanvas(part)
    canvas.lay(pixels, at: bounds)
    return TextComposer.Placed(layer: layer, bounds: part, pixels: canvas.pixels)
  }
}
