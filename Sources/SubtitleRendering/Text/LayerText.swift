import MediaEngine

/// Which of a layer's cues are drawn as text in the viewer's own style, and what they say. Pure.
enum LayerText {
  /// The latest ones, in order of beginning.
  static func cues(of layer: SubtitleLayer) -> [(cue: SubtitleCue, text: StyledText)] {
    var texts: [(cue: SubtitleCue, text: StyledText)] = []
    var said: Set<String> = []
    for cue in layer.cues {
      switch cue.content {
      case .text(let text): texts.append((cue, text))
      case .script(let event, let text):
        guard !isScript(event, of: layer) else { continue }
        let plain = layer.place == .top ? plain(text) : unbranded(text)
        // Authors put an event several times over itself, for glows and the like.
        guard !plain.isEmpty, layer.place != .top || said.insert(plain.string).inserted else { continue }
        texts.append((cue, plain))
      case .pictures: break
      }
    }
    return Array(texts.suffix(SubtitleRenderLimits.textCues))
  }

  /// Whether libass lays the event out as its author wrote it.
  static func isScript(_ event: SubStationEvent, of layer: SubtitleLayer) -> Bool {
    guard layer.place == .own else { return false }
    return !isConverted(layer.scriptHeader) || ScriptCodes.placesItself(event.text)
  }

  /// Whether it had no styles. Captions of CEA-608, whose boxes are their own, are not meant.
  private static func isConverted(_ header: String) -> Bool {
    header.isEmpty || ScriptHeader.isMade(header) && !header.contains("Monospace")
  }

  /// Without the fonts, sizes and colours that are made for the layout that is left out.
  private static func plain(_ text: StyledText) -> StyledText {
    restyled(text) { style in
      var plain = TextStyle()
      plain.isItalic = style.isItalic
      return plain
    }
  }

  /// Without the font and the white that the converter put in.
  private static func unbranded(_ text: StyledText) -> StyledText {
    restyled(text) { style in
      var own = style
      own.fontFamily = nil
      if own.color == SubtitleColor(red: 255, green: 255, blue: 255) { own.color = nil }
      return own
    }
  }

  private static func restyled(_ text: StyledText, _ style: (TextStyle) -> TextStyle) -> StyledText {
    var result = StyledText()
    for run in text.runs { result.append(run.text, style(run.style)) }
    result.trim()
    return result
  }
}
