internal import CoreMedia
import MediaRuntime

/// A track of subtitles that an item shows: its cues as far as they are known.
struct SubtitleTrack {
  let track: MediaTrack
  let slot: SubtitleSlot
  /// Nil for side files, all of whose cues are known at once.
  var feed: SubtitleFeed?
  private var cues = CueTimeline()
  private var scriptHeader = ""
  /// From here to where reading is, all cues are known.
  private(set) var knownFrom: CMTime
  /// The stretch before that which is being read.
  var isCatchingUp = false

  /// How long before a place a cue may have begun and still be looked for.
  static let reach = CMTime(value: 30, timescale: 1)
  /// Bytes of decoded pictures that are held.
  private static let pixelLimit = 48 << 20

  init(_ track: MediaTrack, _ slot: SubtitleSlot, knownFrom: CMTime, delay: CMTime) {
    self.track = track
    self.slot = slot
    self.knownFrom = knownFrom
    cues.delay = delay
  }

  var delay: CMTime {
    get { cues.delay }
    set { cues.delay = newValue }
  }

  mutating func insert(_ found: [SubtitleCue], header: String, at time: CMTime) {
    for cue in found { cues.insert(cue) }
    if !header.isEmpty { scriptHeader = header }
    if let gone = cues.trim(toPixelBytes: Self.pixelLimit, around: time) { knownFrom = max(knownFrom, gone) }
  }

  mutating func adopt(_ file: SubtitleFile) {
    let delay = cues.delay
    cues = CueTimeline(file.cues)
    cues.delay = delay
    scriptHeader = file.script?.header ?? ""
  }

  /// Reading begins anew at a place.
  mutating func lose(before place: CMTime) {
    knownFrom = place
    isCatchingUp = false
  }

  /// What must be read before the cues that may be shown at a time are all known.
  func missing(at time: CMTime) -> SubtitleStretch? {
    let (from, time) = (max(time - delay - Self.reach, .zero), time - delay)
    guard feed != nil, !isCatchingUp, time.isNumeric, knownFrom.isNumeric, knownFrom > .zero, (from < knownFrom) else {
      return nil
    }
    return SubtitleStretch(track: track, from: from, to: knownFrom)
  }

  mutating func caughtUp(_ stretch: SubtitleStretch) {
    isCatchingUp = false
    knownFrom = min(knownFrom, stretch.from)
  }

  func layer(at time: CMTime) -> SubtitleLayer? {
    let shown = cues.shown(at: time)
    guard !shown.isEmpty else { return nil }
    return SubtitleLayer(cues: shown, scriptHeader: scriptHeader, place: slot.place, delay: delay)
  }

  func nextChange(after time: CMTime, isBackward: Bool) -> CMTime? {
    isBackward ? cues.lastChange(before: time) : cues.nextChange(after: time)
  }
}
