/// What drawing may cost, however hostile the subtitles are.
enum SubtitleRenderLimits {
  /// Sides and area of the picture that is drawn for.
  static let side = 16_384
  static let area = 1 << 26
  /// Bytes of a script's header that libass gets: embedded fonts are in it.
  static let headerBytes = 64 << 20
  /// Masks of one moment.
  static let images = 20_000
  /// Cues of one layer that are drawn at a time: as text, as a script's events, as pictures.
  static let textCues = 32
  static let scriptEvents = 10_000
  static let pictures = 256
  /// Unicode scalars of one text cue that are drawn.
  static let cueText = 4_096
  /// Pieces that an overlay is put together of; more are joined.
  static let pieces = 64
}
