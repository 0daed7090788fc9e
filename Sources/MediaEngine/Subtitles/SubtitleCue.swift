package import CoreMedia
import Foundation

/// Something shown over the picture for a while.
package struct SubtitleCue: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case text(StyledText)
    /// An event of SubStation Alpha, to be laid out as its author wrote it; the text is what it says.
    case script(SubStationEvent, StyledText)
    case pictures([SubtitlePicture])
  }

  /// A name that the author gave; not unique.
  package var identifier: String = ""
  /// From here on, in item time.
  package var start: CMTime
  /// Before this it is shown; `.indefinite` up to the next cue of its track.
  package var end: CMTime
  package var content: Content
  package var placement = CuePlacement()
  /// Shown also by who has subtitles off: signs, foreign speech.
  package var isForced = false

  package init(start: CMTime, end: CMTime, content: Content) {
    self.start = start
    self.end = end
    self.content = content
  }

  /// Nil for pictures.
  package var text: StyledText? {
    switch content {
    case .text(let text), .script(_, let text): text
    case .pictures: nil
    }
  }

  /// Bytes of its pictures.
  var pixelBytes: Int {
    guard case .pictures(let pictures) = content else { return 0 }
    return pictures.reduce(0) { $0 + $1.pixels.count }
  }
}

/// A piece of picture at its place: what DVDs, Blu-rays and broadcasters send instead of text.
package struct SubtitlePicture: Hashable, Sendable {
  /// Sides of a picture or its frame: more than 8K has no meaning.
  package static let sides = 1...16_384
  /// Pixels of one picture.
  package static let areaLimit = 1 << 26

  /// From the left and upper edge, in pixels of `frameWidth` by `frameHeight`.
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int
  /// What the place refers to; 0 is the film's own picture.
  package var frameWidth: Int
  package var frameHeight: Int
  /// Red, green, blue, alpha of each pixel, colours multiplied by alpha; `width · height · 4` bytes.
  package var pixels: Data

  package init(x: Int, y: Int, width: Int, height: Int, frameWidth: Int, frameHeight: Int, pixels: Data) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.frameWidth = frameWidth
    self.frameHeight = frameHeight
    self.pixels = pixels
  }
}

/// What the parsers of subtitles take from any one file, however it was made.
enum SubtitleLimits {
  static let bytes = 32 << 20
  static let cues = 200_000
  /// Unicode scalars of one cue's text.
  static let cueText = 65_536
  /// Unicode scalars of a line of times and settings.
  static let settingsLine = 4_096
  static let regions = 1_000
  static let styleText = 262_144
  static let styleRules = 2_000
  /// Tags within tags.
  static let nesting = 64
}
