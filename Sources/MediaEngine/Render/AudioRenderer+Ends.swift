internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// Where sound ends, or is missing.
extension AudioRenderer {
  /// Seconds from a start in which its first sound may come.
  private static let firstSoundWithin = 0.1

  func reportEnd(_ feeder: AudioFeeder) {
    guard feeder.hasEnded, reportedEnds[feeder.item] != feeder.epoch else { return }
    reportedEnds[feeder.item] = feeder.epoch
    let rate = Int32(clamping: sink?.format.sampleRate ?? 48_000)
    let end = feeder.line.isPlaced ? CMTime(value: feeder.line.end, timescale: rate) : nil
    reports.ended(feeder.item, feeder.epoch, end, feeder.failure)
  }

  /// Tells the sink where the sound ends as far as is known: by the last decoded sample, or by an end time.
  func markEnd(_ sink: any AudioSink) {
    var end: Int64?
    if let segment = segments.last, let feeder = segment.feeder, segment.rate > 0 {
      if feeder.hasEnded, feeder.line.isPlaced { end = feeder.line.end }
      if active?.item == feeder.item, let sample = active?.endSample { end = min(end ?? sample, sample) }
      end = end.map { max(segment.frame(of: $0), segment.startFrame) }
    }
    guard end != soundEnd else { return }
    soundEnd = end
    sink.setSoundEnd(end)
  }

  func starve(_ feeder: AudioFeeder, _ segment: AudioSegment, at frame: Int64) {
    guard let sink, let active, starvedAt != frame else { return }
    starvedAt = frame
    let rate = Int32(clamping: sink.format.sampleRate)
    timeline.setLimit(CMTime(value: Int64(segment.sample(at: frame)), timescale: rate), of: feeder.item)
    let ticket = Ticket()
    starvingTicket?.cancel()
    starvingTicket = ticket
    let position = sink.position()
    // At high speeds a start needs more than was prepared: reading it takes its time.
    let least = starting == nil ? 0 : Self.firstSoundWithin
    let wait = max(Double(max(frame - position.frame, 0)) / max(position.measuredRate, 1), least)
    queue.post("look for a stall", after: .seconds(wait), ticket: ticket) { [self] in
      guard isRunning, starvedAt == frame, self.active?.epoch == active.epoch else { return }
      starvedAt = nil
      reports.stalled(active.item, active.epoch)
    }
  }

  func clearStarving(_ feeder: AudioFeeder) {
    guard starvedAt != nil else { return }
    starvedAt = nil
    starvingTicket?.cancel()
    timeline.setLimit(nil, of: feeder.item)
  }
}
