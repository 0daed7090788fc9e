package import MediaRuntime

/// Subtitles from a file of their own, or the header of a track.
package struct SubtitleFile: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case webVTT, subRip, subStation

    /// File name extensions, in lower case.
    package var pathExtensions: [String] {
      switch self {
      case .webVTT: ["vtt", "webvtt"]
      case .subRip: ["srt"]
      case .subStation: ["ass", "ssa"]
      }
    }
  }

  package var format: Format
  /// The encoding's name for the C library's `iconv`.
  package var encoding: String
  /// As written; `CueTimeline` has them by time.
  package var cues: [SubtitleCue]
  /// Styles and fonts of SubStation.
  package var script: SubStationScript?

  /// - Parameters:
  ///   - encoding: a name that the user gave; nil finds it out.
  ///   - language: BCP 47, where something tells it: it helps to find out.
  /// - Throws: `subtitlesUnknown`, `subtitlesTooLarge`.
  package init(
    _ bytes: [UInt8], encoding chosen: String? = nil, language: String? = nil, address: String? = nil
  ) throws(MediaError) {
    guard bytes.count <= SubtitleLimits.bytes else {
      throw MediaError(
        .subtitlesTooLarge,
        "The file of subtitles has \(bytes.count >> 20) MiB; more than \(SubtitleLimits.bytes >> 20) MiB are not read. Choose the right file.",
        address: address)
    }
    let (text, encoding) = EncodingDetector.decode(bytes, as: chosen, language: language)
    self.encoding = encoding
    if let document = WebVTTDocument(text) {
      format = .webVTT
      let styling = WebVTTStyling(styleSheets: document.styleSheets)
      cues = document.cues.map(styling.cue)
    } else if SubStationScript.isScript(text) {
      let script = SubStationScript(text)
      format = .subStation
      cues = script.cues
      self.script = script
    } else {
      format = .subRip
      cues = SubRipParser.parse(text)
      guard !cues.isEmpty else {
        throw MediaError(
          .subtitlesUnknown,
          "These are no subtitles in SubRip, WebVTT or SubStation Alpha. Choose another file, or convert it.",
          address: address)
      }
    }
  }
}
