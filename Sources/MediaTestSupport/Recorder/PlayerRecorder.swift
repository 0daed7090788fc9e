package import CoreMedia
package import MediaEngine
package import MediaRuntime

/// Writes down what a player tells its façade, and its observers' calls, each with the time: one text to compare.
///
///     0.020 item a status readyToPlay
///     0.020 rate 1.0
///     0.025 timeControl playing
package final class PlayerRecorder: Sendable {
  private struct State {
    var lines: [String] = []
    var names: [ObjectIdentifier: String] = [:]
    var events: [PlayerEvent] = []
  }

  private let scheduler: any Scheduler
  private let start: HostTime
  private let state = Lock(State())

  /// Becomes the player's event handler.
  package init(_ player: PlayerCore, _ scheduler: any Scheduler) {
    self.scheduler = scheduler
    start = scheduler.now
    player.eventHandler = { [weak self] event in self?.take(event) }
  }

  package var lines: [String] { state.withLock { $0.lines } }
  package var text: String { lines.joined(separator: "\n") }

  /// The lines without their times.
  package var plainLines: [String] {
    lines.map { line in String(line.drop { $0 != " " }.dropFirst()) }
  }

  /// Forgets what was written so far.
  package func clear() {
    state.withLock { state in
      state.lines = []
      state.events = []
    }
  }

  package var endCount: Int {
    state.withLock { state in
      state.events.filter { if case .notification(.didPlayToEnd) = $0 { true } else { false } }.count
    }
  }

  /// The first error that the player told of since `clear`.
  package var failure: MediaError? {
    state.withLock { state in
      for event in state.events {
        if case .notification(.failedToPlayToEnd(_, let error)) = event { return error }
        if case .itemChanged(_, _, let new) = event, let error = new.error { return error }
      }
      return nil
    }
  }

  /// Adds a line of the test's own.
  package func note(_ line: String) {
    let time = format((scheduler.now - start).seconds)
    state.withLock { $0.lines.append("\(time) \(line)") }
  }

  /// A completion that writes its answer down.
  package func completion(_ name: String) -> @Sendable (Bool) -> Void {
    { [weak self] finished in self?.note("\(name) \(finished)") }
  }

  /// An observer's block that writes its time down.
  package func periodic(_ name: String = "observed") -> @Sendable (CMTime) -> Void {
    { [weak self] time in self?.note("\(name) \(formatted(time.seconds))") }
  }

  package func boundary(_ name: String = "passed") -> @Sendable () -> Void {
    { [weak self] in self?.note(name) }
  }

  private func take(_ event: PlayerEvent) {
    let lines = describe(event)
    let time = format((scheduler.now - start).seconds)
    state.withLock { state in
      state.events.append(event)
      state.lines += lines.map { "\(time) \($0)" }
    }
  }

  private func format(_ seconds: Double) -> String { formatted(seconds) }

  private func name(_ item: ItemCore?) -> String {
    item?.asset.url.lastPathComponent ?? "none"
  }

  private func describe(_ event: PlayerEvent) -> [String] {
    switch event {
    case .itemChanged(let item, let old, let new):
      itemDifferences(old, new).map { "item \(name(item)) \($0)" }
    case .playerChanged(let old, let new): playerDifferences(old, new)
    case .notification(let notification): [describe(notification)]
    }
  }

  private func itemDifferences(_ old: ItemSnapshot, _ new: ItemSnapshot) -> [String] {
    var lines: [String] = []
    if old.duration != new.duration { lines.append("duration \(formatted(new.duration.seconds))") }
    if old.tracks.count != new.tracks.count { lines.append("tracks \(new.tracks.count)") }
    if old.isBufferEmpty != new.isBufferEmpty { lines.append("bufferEmpty \(new.isBufferEmpty)") }
    if old.isLikelyToKeepUp != new.isLikelyToKeepUp { lines.append("likelyToKeepUp \(new.isLikelyToKeepUp)") }
    if old.status != new.status { lines.append("status \(new.status)") }
    return lines
  }

  private func playerDifferences(_ old: PlayerSnapshot, _ new: PlayerSnapshot) -> [String] {
    var lines: [String] = []
    if old.status != new.status { lines.append("status \(new.status)") }
    if old.currentItem !== new.currentItem { lines.append("currentItem \(name(new.currentItem))") }
    if old.rate != new.rate { lines.append("rate \(new.rate)") }
    if old.waitingReason != new.waitingReason {
      lines.append("reason \(new.waitingReason.map { "\($0)" } ?? "nil")")
    }
    if old.timeControl != new.timeControl { lines.append("timeControl \(new.timeControl)") }
    return lines
  }

  private func describe(_ notification: PlayerNotification) -> String {
    switch notification {
    case .didPlayToEnd(let item): "didPlayToEnd \(name(item))"
    case .failedToPlayToEnd(let item, let error): "failedToPlayToEnd \(name(item)) \(error.code)"
    case .playbackStalled(let item): "playbackStalled \(name(item))"
    case .timeJumped(let item): "timeJumped \(name(item))"
    case .newAccessLogEntry(let item): "newAccessLogEntry \(name(item))"
    case .newErrorLogEntry(let item): "newErrorLogEntry \(name(item))"
    case .mediaSelectionDidChange(let item): "mediaSelectionDidChange \(name(item))"
    case .rateDidChange(let reason): "rateDidChange \(reason)"
    }
  }
}

/// Seconds with three digits after the point.
private func formatted(_ seconds: Double) -> String {
  guard seconds.isFinite else { return "\(seconds)" }
  let thousandths = Int64((seconds * 1000).rounded())
  let fraction = String(thousandths.magnitude % 1000)
  let zeros = String(repeating: "0", count: 3 - fraction.count)
  return "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1000).\(zeros)\(fraction)"
}
