package import CoreMedia

/// All that lies over the picture at one moment: what `SubtitleRendering` draws.
package struct ShownSubtitles: Hashable, Sendable {
  /// Drawn in this order.
  package var layers: [SubtitleLayer] = []

  package init(_ layers: [SubtitleLayer] = []) { self.layers = layers }

  package var isEmpty: Bool { layers.allSatisfy(\.cues.isEmpty) }
}

/// What one track or file of subtitles shows at one moment.
package struct SubtitleLayer: Hashable, Sendable {
  /// Where cues go that name no place of their own.
  package enum Place: Hashable, Sendable {
    /// As the format has it: text at the lower edge.
    case own
    /// At the upper edge, scripts as plain text: a second language beside the first one's.
    case top
  }

  /// In order of beginning; each has content.
  package var cues: [SubtitleCue]
  /// Styles and information that scripts' events refer to, as libass wants them; empty for other formats.
  package var scriptHeader: String
  package var place: Place
  /// What `cues` count from in item time: scripts that move need to know how long an event has been shown.
  package var delay: CMTime

  package init(cues: [SubtitleCue], scriptHeader: String = "", place: Place = .own, delay: CMTime = .zero) {
    self.cues = cues
    self.scriptHeader = scriptHeader
    self.place = place
    self.delay = delay
  }
}
