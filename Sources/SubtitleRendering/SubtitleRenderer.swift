package import CoreMedia
package import MediaEngine
package import MediaRuntime

/// Draws what is shown over one picture: one for each view or output, used on one queue at a time.
///
/// Scripts are libass's, laid out as authored. Text of other formats is drawn by libass too, in the viewer's style, and
/// placed by `TextLayout`. Pictures need no library. An unchanged moment costs a comparison.
package final class SubtitleRenderer {
  /// The viewer's wishes; text is drawn anew after a change.
  package var appearance: SubtitleAppearance {
    didSet { if appearance != oldValue { forget() } }
  }

  /// Why text was not drawn the last time; nil when it was, or there was none.
  package private(set) var problem: MediaError?

  private let attached: [AttachedFont]
  private let openLibrary: @Sendable () throws(MediaError) -> AssLibrary
  private var fonts: AssFonts?
  private var textRenderer: AssRenderer?
  private var painter: TextPainter?
  private var composer = TextComposer()
  private var scripts: [Int: ScriptPainter] = [:]
  private var pictures: [Int: PicturePainter] = [:]
  private var last: Drawn?
  private var revision: UInt64 = 0
  private var pastDrawings = 0

  private struct Drawn {
    var shown: ShownSubtitles
    var geometry: SubtitleGeometry
    /// Pieces of text that are still to come.
    var future: Int
    var texts: [TextComposer.Placed]
    /// Some script looks different at every time.
    var moves: Bool
    var overlay: SubtitleOverlay
  }

  /// Layers that are drawn: more than two at once are nobody's wish.
  private static let layerLimit = 8

  /// - Parameter fonts: those that came with the film.
  package init(
    fonts: [AttachedFont] = [], appearance: SubtitleAppearance = SubtitleAppearance(),
    library: @escaping @Sendable () throws(MediaError) -> AssLibrary = AssLibrary.open
  ) {
    attached = fonts
    self.appearance = appearance
    openLibrary = library
  }

  /// How often libass was asked to draw, for tests and reports.
  package var drawings: Int {
    scripts.values.reduce(pastDrawings + (painter?.drawings ?? 0)) { $0 + $1.drawings }
  }

  /// What to lay over the picture.
  /// - Parameter time: in item time.
  /// - Returns: an empty overlay for a geometry without pixels, or beyond any screen's. What can't be drawn is left out;
  ///   `problem` says why.
  package func overlay(of shown: ShownSubtitles, at time: CMTime, _ geometry: SubtitleGeometry) -> SubtitleOverlay {
    var shown = shown
    if shown.layers.count > Self.layerLimit { shown.layers.removeSubrange(Self.layerLimit...) }
    guard let checked = geometry.checked, time.isNumeric else { return nothing(geometry) }
    let future = TextComposer.future(shown, at: time)
    let known = last.flatMap { $0.shown == shown && $0.geometry == checked && $0.future == future ? $0 : nil }
    if let known, !known.moves { return known.overlay }
    if known == nil { problem = nil }
    let texts = known?.texts ?? drawTexts(shown, at: time, checked)
    var pieces: [SubtitleOverlay.Piece] = []
    var moves = false
    for (index, layer) in shown.layers.enumerated() {
      pieces += pictures[index, default: PicturePainter()].draw(layer.cues.filter(\.isPicture), checked)
      pieces += drawScript(layer, index, at: time - layer.delay, checked)
      pieces += texts.lazy.filter { $0.layer == index }.map {
        SubtitleOverlay.Piece(bounds: $0.bounds, pixels: $0.pixels)
      }
      moves = moves || scripts[index]?.moves ?? false
    }
    for index in scripts.keys where index >= shown.layers.count { drop(script: index) }
    for index in pictures.keys where index >= shown.layers.count { pictures[index] = nil }
    let overlay = overlay(pieces, checked)
    last = Drawn(shown: shown, geometry: checked, future: future, texts: texts, moves: moves, overlay: overlay)
    return overlay
  }

  /// The last one again where nothing is different.
  private func overlay(_ pieces: [SubtitleOverlay.Piece], _ geometry: SubtitleGeometry) -> SubtitleOverlay {
    if let overlay = last?.overlay, overlay.width == geometry.width, overlay.height == geometry.height,
      overlay.pieces == pieces
    {
      return overlay
    }
    revision += 1
    return SubtitleOverlay(width: geometry.width, height: geometry.height, pieces: pieces, revision: revision)
  }

  // MARK: Text and scripts

  private func drawTexts(_ shown: ShownSubtitles, at time: CMTime, _ geometry: SubtitleGeometry) -> [TextComposer
    .Placed]
  {
    guard shown.layers.contains(where: { !LayerText.cues(of: $0).isEmpty }) else {
      composer.forgetPlaces()
      return []
    }
    do throws(MediaError) {
      return try composer.compose(shown, at: time, geometry, try textPainter(geometry), appearance)
    } catch {
      problem = error
      return []
    }
  }

  private func textPainter(_ geometry: SubtitleGeometry) throws(MediaError) -> TextPainter {
    let size = PixelRect(x: 0, y: 0, width: geometry.width, height: geometry.height)
    if let painter, painter.size == size { return painter }
    let fonts = try openFonts()
    let renderer: AssRenderer
    if let textRenderer {
      renderer = textRenderer
    } else {
      renderer = try AssRenderer(fonts, family: family)
      textRenderer = renderer
    }
    pastDrawings += painter?.drawings ?? 0
    composer.forgetPlaces()
    let made = TextPainter(fonts, renderer, appearance, size: size)
    painter = made
    return made
  }

  private func drawScript(
    _ layer: SubtitleLayer, _ index: Int, at time: CMTime, _ geometry: SubtitleGeometry
  ) -> [SubtitleOverlay.Piece] {
    let cues = layer.cues.filter { cue in
      guard case .script(let event, _) = cue.content else { return false }
      return LayerText.isScript(event, of: layer)
    }
    guard !cues.isEmpty || scripts[index]?.header == layer.scriptHeader else {
      drop(script: index)
      return []
    }
    do throws(MediaError) {
      let script: ScriptPainter
      if let found = scripts[index], found.header == layer.scriptHeader {
        script = found
      } else {
        drop(script: index)
        script = try ScriptPainter(try openFonts(), header: layer.scriptHeader, family: family)
        scripts[index] = script
      }
      return script.draw(cues, at: time, geometry)
    } catch {
      problem = error
      return []
    }
  }

  private var family: String { TextSheet.family(appearance.fontFamily) ?? "sans-serif" }

  private func openFonts() throws(MediaError) -> AssFonts {
    if let fonts { return fonts }
    let made = try AssFonts(try openLibrary(), attached)
    fonts = made
    return made
  }

  private func drop(script index: Int) {
    pastDrawings += scripts[index]?.drawings ?? 0
    scripts[index] = nil
  }

  private func nothing(_ geometry: SubtitleGeometry) -> SubtitleOverlay {
    last = nil
    return SubtitleOverlay(width: max(geometry.width, 0), height: max(geometry.height, 0), pieces: [], revision: 0)
  }

  /// Everything that the viewer's wishes are in.
  private func forget() {
    pastDrawings = drawings
    (painter, textRenderer, last) = (nil, nil, nil)
    scripts = [:]
    composer = TextComposer()
  }
}

extension SubtitleCue {
  fileprivate var isPicture: Bool {
    if case .pictures = content { return true }
    return false
  }
}
