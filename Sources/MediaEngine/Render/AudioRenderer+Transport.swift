internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// Start, stop, rate, and the way into the next item: everything that changes which sample sounds at which frame.
extension AudioRenderer {
  func begin(
    _ item: ItemID, _ time: CMTime, _ rate: Double, _ epoch: UInt64, _ hostTime: HostTime?,
    _ transportState: UInt64
  ) {
    guard let feeder = feeders[item], let sink, feeder.epoch == epoch else { return }
    let sampleRate = sink.format.sampleRate
    var start = time
    var frame = max(sink.rewriteFloor, fadeEnd(sink))
    if let hostTime {
      let wanted = frameNumber(at: hostTime, sink)
      if wanted >= frame {
        frame = wanted
      } else {
        let late = CMTime(value: frame - wanted, timescale: Int32(clamping: sampleRate))
        start = start + CMTimeMultiplyByFloat64(late, multiplier: rate)
      }
    }
    let span = TimelineSpan(item: item, start: .device(frame), mediaTime: start, rate: rate, generation: epoch)
    guard timeline.append(span, transport: transportState) else { return }
    stopTicket?.cancel()
    stopTicket = nil
    let sample = feeder.sample(at: start)
    let beginsInSilence = feeder.line.isPlaced && feeder.line.first >= sample
    segments.removeAll { $0.startFrame >= frame }
    segments.append(AudioSegment(startFrame: frame, feeder: feeder, startSample: sample, rate: rate))
    if beginsInSilence {
      transport.ramp(from: frame - 1, to: 1, length: 1)
    } else {
      transport.ramp(from: frame, to: 1, length: Int64(sampleRate / 200))
    }
    active = Active(
      item: item, epoch: epoch, rate: rate, transport: transportState,
      endSample: active?.item == item ? active?.endSample : nil)
    starvedAt = nil
    nextFrame = min(frame, sink.writtenEnd)
    isRunning = true
    starting = (item, epoch, frame)
    fill()
    sink.setRunning(true)
    reportStarted()
  }

  /// Says when the item's time moves, once the device does.
  func reportStarted() {
    guard let sink, let (item, epoch, frame) = starting else { return }
    let position = sink.position()
    guard position.isRunning else { return }
    starting = nil
    let ahead = Double(frame - position.frame) / max(position.measuredRate, 1)
    reports.started(item, epoch, position.time + .seconds(ahead))
  }

  /// Fades out from the floor on, then rests the device.
  func stopNow() {
    starvingTicket?.cancel()
    guard let sink, isRunning else { return }
    isRunning = false
    starting = nil
    let floor = sink.rewriteFloor
    let fade = Int64(sink.format.sampleRate / 100)
    let end = floor + fade
    transport.ramp(from: floor, to: 0, length: fade)
    segments.removeAll { $0.startFrame >= end }
    nextFrame = min(floor, sink.writtenEnd)
    write(to: end)
    // Until here, so that the fade too keeps silent behind an end time.
    active = nil
    sink.truncate(at: min(end, sink.writtenEnd))
    segments.append(.silence(from: end))
    let ticket = Ticket()
    stopTicket = ticket
    let position = sink.position()
    let wait = Double(max(end - position.frame, 0)) / max(position.measuredRate, 1) + 0.005
    queue.post("rest device", after: .seconds(wait), ticket: ticket) { [self] in
      stopTicket = nil
      guard !isRunning else { return }
      self.sink?.setRunning(false)
      volume = GainEnvelope(volume.final)
    }
  }

  func changeRate(_ rate: Double, _ item: ItemID) {
    guard let sink, isRunning, let active, active.item == item, active.rate != rate,
      let feeder = feeders[item]
    else { return }
    let floor = sink.rewriteFloor
    guard let segment = segments.last(where: { $0.startFrame <= floor && $0.feeder === feeder }) else {
      // The change comes before the first sample of the start is due: that start takes the new rate.
      guard let index = segments.lastIndex(where: { $0.feeder === feeder }) else { return }
      let (frame, sample) = (segments[index].startFrame, segments[index].startSample)
      segments[index] = AudioSegment(startFrame: frame, feeder: feeder, startSample: sample, rate: rate)
      self.active?.rate = rate
      place(frame, sample, rate, sink)
      rewrite(from: min(frame, sink.writtenEnd))
      return
    }
    let sample = goOn(segment, feeder, from: floor, rate: rate)
    self.active?.rate = rate
    place(floor, sample, rate, sink)
    rewrite(from: floor)
  }

  /// A new stretch of the same sound takes over at a frame, over the end of the old one.
  /// - Returns: its first sample.
  private func goOn(_ old: AudioSegment, _ feeder: AudioFeeder, from frame: Int64, rate: Double) -> Int64 {
    let sample = Int64(old.sample(at: frame).rounded())
    segments.removeAll { $0.startFrame >= frame }
    var new = AudioSegment(startFrame: frame, feeder: feeder, startSample: sample, rate: rate)
    new.fade(from: old)
    segments.append(new)
    return sample
  }

  /// What is queued of an item's sound gets another pitch (at speeds other than 1), volume or tap.
  func changeMix(_ mix: TrackMix, _ item: ItemID) {
    guard let feeder = feeders[item] else { return }
    let pitch = mix.pitch ?? feeder.pitch
    let isOtherSound = feeder.volume != mix.volume || (feeder.pitch != pitch && active?.rate != 1)
    feeder.volume = mix.volume
    feeder.pitch = pitch
    guard let sink, isRunning else {
      feeder.setTap(mix.tap, from: .min)
      return
    }
    let floor = sink.rewriteFloor
    let current = segments.last { $0.startFrame <= floor }.flatMap { $0.feeder === feeder ? $0 : nil }
    let isOtherTap = feeder.setTap(mix.tap, from: current.map { Int64($0.sample(at: floor)) } ?? .min)
    guard isOtherSound || isOtherTap else { return }
    if let current {
      let index = segments.lastIndex { $0.startFrame <= floor }.map { $0 + 1 } ?? segments.count
      var new = AudioSegment(
        startFrame: floor, feeder: feeder, startSample: Int64(current.sample(at: floor).rounded()), rate: current.rate)
      new.fade(from: current)
      segments.insert(new, at: index)
      return rewrite(from: floor)
    }
    guard let index = segments.firstIndex(where: { $0.startFrame > floor && $0.feeder === feeder }) else { return }
    let old = segments[index]
    segments[index] = AudioSegment(
      startFrame: old.startFrame, feeder: feeder, startSample: old.startSample, rate: old.rate)
    if nextFrame > old.startFrame { rewrite(from: old.startFrame) }
  }

  func append(
    _ next: ItemID, _ time: CMTime, _ epoch: UInt64, _ item: ItemID, _ end: CMTime, _ number: UInt64,
    _ transportState: UInt64
  ) {
    guard let sink, isRunning, let active, active.item == item, let feeder = feeders[next], feeder.epoch == epoch,
      let old = feeders[item], let segment = segments.last(where: { $0.feeder === old })
    else { return }
    let floor = sink.rewriteFloor
    let frame = max(segment.frame(of: old.sample(at: end)), floor)
    let span = TimelineSpan(
      item: next, start: .device(frame), mediaTime: time, rate: active.rate, generation: epoch)
    guard timeline.append(span, transport: transportState) else { return }
    segments.removeAll { $0.startFrame >= frame }
    segments.append(
      AudioSegment(startFrame: frame, feeder: feeder, startSample: feeder.sample(at: time), rate: active.rate))
    if nextFrame > frame { rewrite(from: frame) } else { fill() }
    let position = sink.position()
    let ahead = Double(max(frame - position.frame, 0)) / max(position.measuredRate, 1)
    reports.joined(number, position.time + .seconds(ahead))
  }

  /// Silence, or what is left of the item before, instead of a next item that was to follow.
  func takeBack(_ next: ItemID) {
    guard let sink, active?.item != next, let feeder = feeders[next],
      let first = segments.first(where: { $0.feeder === feeder })?.startFrame
    else { return }
    segments.removeAll { $0.feeder === feeder }
    if nextFrame > first { rewrite(from: max(first, sink.rewriteFloor)) }
  }

  private func place(_ frame: Int64, _ sample: Int64, _ rate: Double, _ sink: any AudioSink) {
    guard let active else { return }
    let time = CMTime(value: sample, timescale: Int32(clamping: sink.format.sampleRate))
    timeline.append(
      TimelineSpan(item: active.item, start: .device(frame), mediaTime: time, rate: rate, generation: active.epoch),
      transport: active.transport)
  }

  /// The frame at which a fade that is under way is over.
  private func fadeEnd(_ sink: any AudioSink) -> Int64 {
    guard let last = segments.last, last.feeder == nil else { return 0 }
    return last.startFrame
  }

  private func frameNumber(at time: HostTime, _ sink: any AudioSink) -> Int64 {
    let position = sink.position()
    let from = position.isRunning ? position.time : environment.scheduler.now
    return position.frame + Int64(((time - from).seconds * position.measuredRate).rounded())
  }

  func cutSegments(of item: ItemID) {
    guard let feeder = feeders[item] else { return }
    for index in segments.indices where segments[index].feeder === feeder { segments[index].silence() }
  }
}
