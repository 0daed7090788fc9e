import CoreMedia
import MediaEngine
import MediaRuntime

/// Draws one layer's events of SubStation Alpha by libass, as their author wrote them.
final class ScriptPainter {
  let header: String
  private let renderer: AssRenderer
  private let track: AssTrack
  /// As in the track, in its order.
  private var events: [SubtitleCue] = []
  /// As they were asked for the last time.
  private var cues: [SubtitleCue] = []
  /// Some event looks different at every time.
  private(set) var moves = false
  private var geometry: SubtitleGeometry?
  private var pieces: [SubtitleOverlay.Piece] = []
  /// How often libass has drawn, for tests.
  private(set) var drawings = 0

  /// Beyond so many changes at once the track is filled anew.
  private static let changeLimit = 256
  /// Events without an end: 30 years.
  private static let endless: Int64 = 1_000_000_000_000

  init(_ fonts: AssFonts, header: String, family: String) throws(MediaError) {
    self.header = header
    renderer = try AssRenderer(fonts, family: family)
    track = try AssTrack(fonts, header: ScriptHeader.withoutEvents(header))
  }

  /// - Parameter time: what the events' times count in.
  func draw(_ cues: [SubtitleCue], at time: CMTime, _ geometry: SubtitleGeometry) -> [SubtitleOverlay.Piece] {
    let isSame = cues == self.cues && geometry == self.geometry
    guard !isSame || moves else { return pieces }
    if cues != self.cues { set(cues) }
    if geometry != self.geometry {
      renderer.setSize(
        width: geometry.width, height: geometry.height, storage: (geometry.storageWidth, geometry.storageHeight))
      self.geometry = geometry
    }
    drawings += 1
    let (images, hasChanged) = renderer.render(track, at: time.milliseconds(.roundTowardNegativeInfinity) ?? 0)
    guard hasChanged || !isSame else { return pieces }
    pieces = PieceClusters.group(images.map(\.bounds)).map { cluster in
      var canvas = PieceCanvas(cluster.bounds)
      for member in cluster.members { canvas.lay(images[member]) }
      return canvas.piece
    }
    return pieces
  }

  /// What stays keeps the place that libass gave it beside others.
  private func set(_ cues: [SubtitleCue]) {
    let wanted = Set(cues)
    let gone = events.indices.filter { !wanted.contains(events[$0]) }
    if gone.count > Self.changeLimit {
      track.removeAll()
      events = []
    } else {
      for index in gone.reversed() {
        track.remove(at: index)
        events.remove(at: index)
      }
    }
    let kept = Set(events)
    for cue in cues where !kept.contains(cue) && events.count < SubtitleRenderLimits.scriptEvents { add(cue) }
    moves = cues.contains { cue in
      guard case .script(let event, _) = cue.content else { return false }
      return ScriptCodes.move(event.text, effect: event.effect)
    }
    self.cues = cues
  }

  private func add(_ cue: SubtitleCue) {
    guard case .script(let event, _) = cue.content,
      let start = cue.start.milliseconds(.roundTowardNegativeInfinity)
    else { return }
    // Not before the end in parts of a millisecond.
    let end = cue.end.milliseconds(.roundTowardPositiveInfinity) ?? start + Self.endless
    if track.add(event.packet, start: start, duration: max(end - start, 1)) { events.append(cue) }
  }
}

extension CMTime {
  /// Within ±30 years; nil for what is no number.
  func milliseconds(_ rounding: CMTimeRoundingMethod) -> Int64? {
    guard isNumeric else { return nil }
    let converted = convertScale(1_000, method: rounding)
    guard converted.isNumeric else { return nil }
    return min(max(converted.value, -1_000_000_000_000), 1_000_000_000_000)
  }
}
