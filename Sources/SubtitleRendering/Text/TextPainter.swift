import CoreMedia
import MediaEngine
import MediaRuntime

/// Draws text that no author has laid out, cue by cue, by libass. It keeps the blocks that the last picture had.
final class TextPainter {
  struct Job: Hashable {
    var text: StyledText
    var column: TextColumn
    var isVertical: Bool
    /// How many pieces are still to come.
    var future: Int
    var voices: [String: SubtitleColor]
  }

  private let fonts: AssFonts
  private let renderer: AssRenderer
  private let appearance: SubtitleAppearance
  let metrics: TextMetrics
  /// Of the picture.
  let size: PixelRect
  /// By whether it is for vertical text, whose picture lies on its side.
  private var tracks: [Bool: AssTrack] = [:]
  private var kept: [Job: TextBlock] = [:]
  private var used: [Job: TextBlock] = [:]
  /// How often text is broken anew before it is taken as it is.
  private static let breakings = 8
  /// How often libass has drawn, for tests.
  private(set) var drawings = 0

  init(_ fonts: AssFonts, _ renderer: AssRenderer, _ appearance: SubtitleAppearance, size: PixelRect) {
    self.fonts = fonts
    self.renderer = renderer
    self.appearance = appearance
    self.size = size
    metrics = TextMetrics(appearance, width: size.width, height: size.height)
  }

  /// Forgets blocks that were not asked for since the last call.
  func endPicture() {
    kept = used
    used = [:]
  }

  /// Nil when there is nothing to see.
  func block(_ job: Job, at time: CMTime) throws(MediaError) -> TextBlock? {
    if let block = used[job] ?? kept[job] {
      used[job] = block
      return block
    }
    guard let block = try draw(job, at: time) else { return nil }
    used[job] = block
    return block
  }

  private func draw(_ job: Job, at time: CMTime) throws(MediaError) -> TextBlock? {
    let (length, extent) = job.isVertical ? (size.height, size.width) : (size.width, size.height)
    let bleed = metrics.bleed
    let (frameWidth, frameHeight) = (length + 2 * bleed, extent + 2 * bleed)
    // Nothing in it moves: pixels are square, sizes are the picture's.
    renderer.setSize(width: frameWidth, height: frameHeight, storage: (frameWidth, frameHeight))
    let track: AssTrack
    if let found = tracks[job.isVertical] {
      track = found
    } else {
      track = try AssTrack(
        fonts, header: TextSheet.header(appearance, metrics, width: frameWidth, height: frameHeight))
      track.usesUnicodeRules()
      tracks[job.isVertical] = track
    }
    let markup = TextMarkup(
      appearance: appearance, metrics: metrics, isVertical: job.isVertical, voices: job.voices, time: time)
    var text = job.text
    var boxes = images(text, job, markup, .boxes, track)
    var lines = lines(boxes)
    var size = metrics.size
    for _ in 0..<Self.breakings where lines.width > job.column.limit {
      let before = text
      text = LineBreaker(limit: Double(job.column.limit), size: size).broken(job.text)
      // The font is wider than was reckoned with.
      if text == before { size *= max(Double(lines.width) / Double(job.column.limit), 1.05) }
      boxes = images(text, job, markup, .boxes, track)
      lines = self.lines(boxes)
      if lines.width > job.column.limit { size *= 1.05 }
    }
    guard !lines.isEmpty else { return nil }
    let visible = boxes.filter { $0.alpha > Int(TextMarkup.measured) }
    var back: PieceCanvas?
    if !visible.isEmpty {
      var canvas = PieceCanvas(visible.reduce(.zero) { $0.union($1.bounds(of: 1)) })
      for image in visible { canvas.join(image) }
      back = canvas
    }
    let letters = images(text, job, markup, .letters, track)
    var canvas = PieceCanvas(letters.reduce(back?.bounds ?? .zero) { $0.union($1.bounds(of: 1)) })
    if let back { canvas.lay(back.pixels, at: back.bounds) }
    for image in letters { canvas.lay(image) }
    let block = TextBlock(
      lines: lines.offset(x: -bleed, y: -bleed), bounds: canvas.bounds.offset(x: -bleed, y: -bleed),
      pixels: canvas.pixels)
    return job.isVertical ? block.turned(extent: 0) : block
  }

  private func images(_ text: StyledText, _ job: Job, _ markup: TextMarkup, _ pass: TextMarkup.Pass, _ track: AssTrack)
    -> [AssImage]
  {
    drawings += 1
    let bleed = metrics.bleed
    let code: Int
    let frame = (job.isVertical ? size.height : size.width) + 2 * bleed
    switch job.column.edge {
    case .start: code = 7
    case .center: code = 8
    case .end: code = 9
    }
    let style = pass == .letters ? TextSheet.text : TextSheet.box
    let codes = markup.markup(text, pass)
    track.removeAll()
    let isTaken = track.add(
      "0,0,\(style),,0,\(max(frame - job.column.limit, 0)),0,,{\\an\(code)\\pos(\(job.column.anchor + bleed),\(bleed))}\(codes)",
      start: 0, duration: 1)
    return isTaken ? renderer.render(track, at: 0).images : []
  }

  /// What the boxes of all pieces cover, without their padding.
  private func lines(_ boxes: [AssImage]) -> PixelRect {
    let whole = boxes.filter { $0.alpha > 0 }.reduce(PixelRect.zero) { $0.union($1.bounds(of: 128)) }
    let padding = metrics.padding
    return PixelRect(
      x: whole.x + padding, y: whole.y + padding, width: max(whole.width - 2 * padding, 0),
      height: max(whole.height - 2 * padding, 0))
  }
}
