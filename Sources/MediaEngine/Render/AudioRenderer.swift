internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// The player's sound: writes the items' lines to the one sink and tells the timeline which frame is what time.
///
/// Lives on an urgent queue that the sink calls when it runs low; each call fills well beyond that, so calls are few.
/// The decoded, ungained samples of all that is queued are kept: a change of volume, rate or transport renders the
/// tail anew from the sink's rewrite floor, with short ramps.
final class AudioRenderer: @unchecked Sendable {
  // Sendable because its variables are touched on `queue` only.

  /// Called on the renderer's queue.
  struct Reports: Sendable {
    /// Sound from the target on is decoded, or there is none.
    var prepared: @Sendable (ItemID, UInt64) -> Void = { _, _ in }
    /// The item's time moves from this host time on.
    var started: @Sendable (ItemID, UInt64, HostTime) -> Void = { _, _, _ in }
    /// The device has played all there was although the sound goes on.
    var stalled: @Sendable (ItemID, UInt64) -> Void = { _, _ in }
    /// All sound is decoded: where it ends, and why if that is not its end.
    var ended: @Sendable (ItemID, UInt64, CMTime?, MediaError?) -> Void = { _, _, _, _ in }
    /// The sound runs on into the upcoming item at this host time.
    var joined: @Sendable (ItemID, ItemID, HostTime) -> Void = { _, _, _ in }
    var interruption: @Sendable (Bool) -> Void = { _ in }
    var lost: @Sendable (MediaError?) -> Void = { _ in }
  }

  let queue: SerialQueue
  private let environment: EngineEnvironment
  private let timeline: Timeline
  /// Set before anything is posted.
  var reports = Reports()

  private var sink: (any AudioSink)?
  private var feeders: [ItemID: AudioFeeder] = [:]
  private var preparing: [ItemID: Preparation] = [:]
  private var reportedEnds: [ItemID: UInt64] = [:]
  private var segments: [AudioSegment] = []
  private var volume = GainEnvelope(1)
  private var transport = GainEnvelope(0)
  private var nextFrame: Int64 = 0
  private var isRunning = false
  private var active: Active?
  private var isFillPosted = false
  private var starvedAt: Int64?
  private var stopTicket: Ticket?
  private var starvingTicket: Ticket?
  private var mode = AudioLatencyMode.audioOnly
  /// The device asked for; nil is the default one.
  private var device: String?
  private var scratch: [Float] = []
  private var starting: (item: ItemID, epoch: UInt64, frame: Int64)?

  private struct Preparation {
    var epoch: UInt64
    var sample: Int64
  }

  private struct Active {
    var item: ItemID
    var epoch: UInt64
    var rate: Double
    /// Where the item ends by an end time, in samples; silence follows.
    var endSample: Int64?
  }

  /// Rendered beyond what the sink asks for, so that it seldom asks.
  private var extraFrames: Int64 {
    let rate = Int64(sink?.format.sampleRate ?? 48_000)
    return mode == .audioOnly ? rate : rate / 5
  }

  private static let packetsPerStep = 48
  private static let chunk: Int64 = 4096

  init(environment: EngineEnvironment, timeline: Timeline, label: String) {
    self.environment = environment
    self.timeline = timeline
    queue = environment.scheduler.queue("\(label) audio", .urgent)
  }

  // MARK: Commands, from the control queue

  func add(_ feeder: AudioFeeder) {
    feeder.buffer.setConsumer { [weak self] in self?.kick() }
    queue.post("add sound") { [self] in feeders[feeder.item] = feeder }
  }

  func remove(_ item: ItemID) {
    queue.post("remove sound") { [self] in
      if active?.item == item { stopNow() }
      cutSegments(of: item)
      preparing[item] = nil
      reportedEnds[item] = nil
      feeders.removeValue(forKey: item)?.close()
    }
  }

  /// Decodes from a target on; ends in `prepared`.
  func prepare(_ item: ItemID, at target: CMTime, fromBuffer: Bool, generation: Generation, epoch: UInt64) {
    queue.post("prepare sound") { [self] in
      guard let feeder = feeders[item] else { return }
      let sink = openSink(feeder.track.audio)
      cutSegments(of: item)
      feeder.restart(
        at: target, fromBuffer: fromBuffer, generation: generation, epoch: epoch, format: sink.format)
      reportedEnds[item] = nil
      preparing[item] = Preparation(epoch: epoch, sample: feeder.sample(at: target))
      work()
    }
  }

  /// The item's time starts to move, with its sound.
  /// - Parameter transport: the timeline's when the start was asked for; a halt since then makes it void.
  func start(_ item: ItemID, at time: CMTime, rate: Double, epoch: UInt64, hostTime: HostTime?, transport: UInt64) {
    queue.post("start sound") { [self] in begin(item, time, rate, epoch, hostTime, transport) }
  }

  func stop() {
    queue.post("stop sound") { [self] in stopNow() }
  }

  func setRate(_ rate: Double, of item: ItemID) {
    queue.post("change rate") { [self] in changeRate(rate, item) }
  }

  func setDevice(_ name: String?) {
    queue.post("choose sound device") { [self] in
      guard name != device else { return }
      device = name
      sink?.setDevice(name)
    }
  }

  func setGain(_ gain: Float) {
    queue.post("change volume") { [self] in
      guard volume.final != gain else { return }
      guard let sink, isRunning || stopTicket != nil else {
        volume = GainEnvelope(gain)
        return
      }
      let floor = sink.rewriteFloor
      volume.ramp(from: floor, to: gain, length: Int64(sink.format.sampleRate / 100))
      rewrite(from: floor)
    }
  }

  func setMode(_ mode: AudioLatencyMode) {
    queue.post("change latency") { [self] in
      guard self.mode != mode else { return }
      self.mode = mode
      sink?.setLatency(mode)
      fill()
    }
  }

  /// Another item's sound takes over without a gap where the running one ends; ends in `joined`.
  /// - Parameter from: where the next item begins.
  func join(_ next: ItemID, from time: CMTime, epoch: UInt64, after item: ItemID, at end: CMTime, transport: UInt64) {
    queue.post("join next sound") { [self] in append(next, time, epoch, item, end, transport) }
  }

  /// The joined item is the one being heard.
  func advance(to item: ItemID, epoch: UInt64) {
    queue.post("advance sound") { [self] in
      guard isRunning, let rate = active?.rate else { return }
      active = Active(item: item, epoch: epoch, rate: rate, endSample: nil)
    }
  }

  /// Silence instead of sound from this item time on.
  func setEnd(_ end: CMTime?, of item: ItemID) {
    queue.post("set end of sound") { [self] in
      guard active?.item == item, let feeder = feeders[item], let sink else { return }
      active?.endSample = end.map { feeder.sample(at: $0) }
      rewrite(from: sink.rewriteFloor)
    }
  }

  func kick() {
    queue.post("decode sound") { [weak self] in self?.work() }
  }

  func close() {
    queue.post("close sound") { [self] in
      for feeder in feeders.values { feeder.close() }
      feeders = [:]
      segments = []
      preparing = [:]
      active = nil
      stopTicket?.cancel()
      starvingTicket?.cancel()
      sink?.close()
      sink = nil
      queue.close()
    }
  }

  // MARK: The sink

  private func openSink(_ format: AudioFormat?) -> any AudioSink {
    if let sink { return sink }
    let preferred = AudioDeviceFormat(
      sampleRate: min(max(format?.sampleRate ?? 48_000, 8_000), 192_000),
      channelCount: min(max(format?.channelCount ?? 2, 1), 8), channelMask: format?.channelMask ?? 0x3)
    let new = environment.audioSinks.sink(
      preferred: preferred, device: device, mode: mode, scheduler: environment.scheduler)
    sink = new
    nextFrame = new.writtenEnd
    timeline.setSink(new)
    new.setEventHandler(on: queue) { [weak self] event in self?.handle(event) }
    return new
  }

  private func handle(_ event: AudioSinkEvent) {
    switch event {
    case .needsFrames: fill()
    case .started: reportStarted()
    case .stopped, .underrun: break
    case .deviceLost(let error): reports.lost(error)
    case .deviceRecovered: reports.lost(nil)
    case .interruptionBegan: reports.interruption(true)
    case .interruptionEnded: reports.interruption(false)
    }
  }

  // MARK: Transport

  private func begin(
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
    active = Active(item: item, epoch: epoch, rate: rate, endSample: active?.item == item ? active?.endSample : nil)
    starvedAt = nil
    nextFrame = min(frame, sink.writtenEnd)
    isRunning = true
    starting = (item, epoch, frame)
    fill()
    sink.setRunning(true)
    reportStarted()
  }

  /// Says when the item's time moves, once the device does.
  private func reportStarted() {
    guard let sink, let (item, epoch, frame) = starting else { return }
    let position = sink.position()
    guard position.isRunning else { return }
    starting = nil
    let ahead = Double(frame - position.frame) / max(position.measuredRate, 1)
    reports.started(item, epoch, position.time + .seconds(ahead))
  }

  /// Fades out from the floor on, then rests the device.
  private func stopNow() {
    starvingTicket?.cancel()
    guard let sink, isRunning else { return }
    isRunning = false
    active = nil
    starting = nil
    let floor = sink.rewriteFloor
    let fade = Int64(sink.format.sampleRate / 100)
    let end = floor + fade
    transport.ramp(from: floor, to: 0, length: fade)
    segments.removeAll { $0.startFrame >= end }
    nextFrame = min(floor, sink.writtenEnd)
    write(to: end)
    sink.truncate(at: min(end, sink.writtenEnd))
    segments.append(AudioSegment(startFrame: end, feeder: nil, startSample: 0, rate: 1))
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

  private func changeRate(_ rate: Double, _ item: ItemID) {
    guard let sink, isRunning, let active, active.item == item, active.rate != rate,
      let feeder = feeders[item]
    else { return }
    let floor = sink.rewriteFloor
    guard let segment = segments.last(where: { $0.startFrame <= floor && $0.feeder === feeder }) else {
      // The change comes before the first sample of the start is due: that start takes the new rate.
      guard let index = segments.lastIndex(where: { $0.feeder === feeder }) else { return }
      segments[index].rate = rate
      self.active?.rate = rate
      let (frame, sample) = (segments[index].startFrame, segments[index].startSample)
      place(frame, sample, rate, sink)
      rewrite(from: min(frame, sink.writtenEnd))
      return
    }
    let sample = Int64(segment.sample(at: floor).rounded())
    segments.removeAll { $0.startFrame >= floor }
    segments.append(AudioSegment(startFrame: floor, feeder: feeder, startSample: sample, rate: rate))
    self.active?.rate = rate
    place(floor, sample, rate, sink)
    rewrite(from: floor)
  }

  private func append(
    _ next: ItemID, _ time: CMTime, _ epoch: UInt64, _ item: ItemID, _ end: CMTime, _ transportState: UInt64
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
    reports.joined(item, next, position.time + .seconds(ahead))
  }

  private func place(_ frame: Int64, _ sample: Int64, _ rate: Double, _ sink: any AudioSink) {
    guard let active else { return }
    let time = CMTime(value: sample, timescale: Int32(clamping: sink.format.sampleRate))
    timeline.append(
      TimelineSpan(item: active.item, start: .device(frame), mediaTime: time, rate: rate, generation: active.epoch))
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

  private func cutSegments(of item: ItemID) {
    guard let feeder = feeders[item] else { return }
    for index in segments.indices where segments[index].feeder === feeder { segments[index].feeder = nil }
  }

  // MARK: Filling

  /// Decodes for those who prepare, then fills the sink.
  private func work() {
    for (item, preparation) in preparing.sorted(by: { $0.key.number < $1.key.number }) {
      guard let feeder = feeders[item] else { continue }
      let wanted = preparation.sample + Int64((sink?.format.sampleRate ?? 48_000) / 10)
      switch feeder.decode(until: wanted, packets: Self.packetsPerStep) {
      case .ready, .ended:
        feeder.trim(before: preparation.sample)
        preparing[item] = nil
        // The end first: who hears that all is prepared must know whether there is anything.
        reportEnd(feeder)
        reports.prepared(item, preparation.epoch)
      case .more: kick()
      case .starved: break
      }
    }
    fill()
  }

  private func fill() {
    guard let sink, isRunning else { return }
    let position = sink.position().frame
    let goal =
      max(position, nextFrame > sink.writtenEnd ? position : min(nextFrame, position)) + sink.targetFrames + extraFrames
    write(to: max(goal, sink.writtenEnd))
    tidy(position)
  }

  private func rewrite(from frame: Int64) {
    guard let sink else { return }
    let end = sink.writtenEnd
    nextFrame = min(frame, end)
    if isRunning { fill() } else { write(to: end) }
  }

  /// Renders and writes up to a frame, as far as there is sound and the sink takes it.
  private func write(to goal: Int64) {
    guard let sink else { return }
    while nextFrame < goal {
      var end = min(nextFrame + Self.chunk, goal)
      if isRunning {
        switch supply(nextFrame..<end) {
        case .ready: break
        case .until(let frame): end = frame
        case .postponed: return
        }
      }
      guard end > nextFrame else { return }
      scratch.removeAll(keepingCapacity: true)
      render(nextFrame..<end)
      let count = Int(end - nextFrame)
      let taken = scratch.withUnsafeBufferPointer { sink.write($0, at: nextFrame) }
      nextFrame += Int64(taken)
      if taken < count { return }
    }
  }

  private enum Supply {
    case ready
    /// Only up to a frame for now.
    case until(Int64)
    case postponed
  }

  /// Has the sound of a range decoded.
  private func supply(_ range: Range<Int64>) -> Supply {
    guard let index = segments.lastIndex(where: { $0.startFrame < range.upperBound }),
      let feeder = segments[index].feeder
    else { return .ready }
    let segment = segments[index]
    let needed = Int64(segment.sample(at: range.upperBound).rounded(.up)) + (segment.rate == 1 ? 0 : 3)
    switch feeder.decode(until: needed, packets: Self.packetsPerStep) {
    case .ready:
      clearStarving(feeder)
      return .ready
    case .ended:
      clearStarving(feeder)
      reportEnd(feeder)
      return .ready
    case .more:
      if feeder.line.end > needed - Self.chunk {
        let frame = segment.frame(of: feeder.line.end)
        if frame > range.lowerBound, frame < range.upperBound {
          postFill()
          return .until(frame)
        }
      }
      postFill()
      return .postponed
    case .starved:
      let frame = feeder.line.isPlaced ? min(segment.frame(of: feeder.line.end), range.upperBound) : range.lowerBound
      starve(feeder, segment, at: max(frame, range.lowerBound))
      return frame > range.lowerBound ? .until(frame) : .postponed
    }
  }

  private func postFill() {
    guard !isFillPosted else { return }
    isFillPosted = true
    queue.post("decode sound") { [weak self] in
      self?.isFillPosted = false
      self?.fill()
    }
  }

  private func render(_ range: Range<Int64>) {
    guard let sink else { return }
    scratch.reserveCapacity(range.count * sink.format.channelCount)
    var frame = range.lowerBound
    while frame < range.upperBound {
      let index = segments.lastIndex { $0.startFrame <= frame }
      let next = segments.first { $0.startFrame > frame }?.startFrame ?? .max
      let count = Int(min(next, range.upperBound) - frame)
      if let index, let feeder = segments[index].feeder {
        render(segments[index], feeder, frame, count)
      } else {
        scratch.append(contentsOf: repeatElement(0, count: count * sink.format.channelCount))
      }
      frame += Int64(count)
    }
    applyGain(range, sink.format.channelCount)
  }

  private func render(_ segment: AudioSegment, _ feeder: AudioFeeder, _ frame: Int64, _ count: Int) {
    let position = segment.sample(at: frame)
    if segment.rate == 1 {
      feeder.line.copy(from: Int64(position), count: count, into: &scratch)
    } else {
      feeder.line.resample(from: position, step: segment.rate, count: count, into: &scratch)
    }
    guard active?.item == feeder.item, let end = active?.endSample else { return }
    let audible = segment.rate > 0 ? segment.frame(of: end) - frame : Int64(count)
    guard audible < count else { return }
    let channels = sink?.format.channelCount ?? 1
    let from = scratch.count - (count - Int(max(audible, 0))) * channels
    for index in max(from, 0)..<scratch.count { scratch[index] = 0 }
  }

  private func applyGain(_ range: Range<Int64>, _ channels: Int) {
    if let volume = volume.constant(over: range), let transport = transport.constant(over: range) {
      let gain = volume * transport
      guard gain != 1 else { return }
      for index in scratch.indices { scratch[index] *= gain }
      return
    }
    var index = 0
    for frame in range {
      let gain = volume.gain(at: frame) * transport.gain(at: frame)
      for _ in 0..<channels {
        scratch[index] *= gain
        index += 1
      }
    }
  }

  /// Lets go of what can't be heard any more.
  private func tidy(_ position: Int64) {
    if let current = segments.lastIndex(where: { $0.startFrame <= position }) {
      segments.removeFirst(current)
      if let segment = segments.first, let feeder = segment.feeder {
        let margin = Int64((sink?.format.sampleRate ?? 48_000) / 4)
        feeder.trim(before: Int64(segment.sample(at: position)) - margin)
      }
    }
    volume.trim(before: position)
    transport.trim(before: position)
  }

  // MARK: Ends and lacks

  private func reportEnd(_ feeder: AudioFeeder) {
    guard feeder.hasEnded, reportedEnds[feeder.item] != feeder.epoch else { return }
    reportedEnds[feeder.item] = feeder.epoch
    let rate = Int32(clamping: sink?.format.sampleRate ?? 48_000)
    let end = feeder.line.isPlaced ? CMTime(value: feeder.line.end, timescale: rate) : nil
    reports.ended(feeder.item, feeder.epoch, end, feeder.failure)
  }

  private func starve(_ feeder: AudioFeeder, _ segment: AudioSegment, at frame: Int64) {
    guard let sink, let active, starvedAt != frame else { return }
    starvedAt = frame
    let rate = Int32(clamping: sink.format.sampleRate)
    timeline.setLimit(CMTime(value: Int64(segment.sample(at: frame)), timescale: rate), of: feeder.item)
    let ticket = Ticket()
    starvingTicket?.cancel()
    starvingTicket = ticket
    let position = sink.position()
    let wait = Double(max(frame - position.frame, 0)) / max(position.measuredRate, 1)
    queue.post("look for a stall", after: .seconds(wait), ticket: ticket) { [self] in
      guard isRunning, starvedAt == frame, self.active?.epoch == active.epoch else { return }
      starvedAt = nil
      reports.stalled(active.item, active.epoch)
    }
  }

  private func clearStarving(_ feeder: AudioFeeder) {
    guard starvedAt != nil else { return }
    starvedAt = nil
    starvingTicket?.cancel()
    timeline.setLimit(nil, of: feeder.item)
  }
}
