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
    /// The sound runs on into the upcoming item at this host time; the number is the join's.
    var joined: @Sendable (UInt64, HostTime) -> Void = { _, _ in }
    var interruption: @Sendable (Bool) -> Void = { _ in }
    var lost: @Sendable (MediaError?) -> Void = { _ in }
  }

  let queue: SerialQueue
  let environment: EngineEnvironment
  let timeline: Timeline
  /// Set before anything is posted.
  var reports = Reports()

  var sink: (any AudioSink)?
  var feeders: [ItemID: AudioFeeder] = [:]
  var preparing: [ItemID: Preparation] = [:]
  var reportedEnds: [ItemID: UInt64] = [:]
  var segments: [AudioSegment] = []
  var volume = GainEnvelope(1)
  var transport = GainEnvelope(0)
  var nextFrame: Int64 = 0
  var isRunning = false
  var active: Active?
  var isFillPosted = false
  var starvedAt: Int64?
  /// What the sink was told last.
  var soundEnd: Int64?
  var stopTicket: Ticket?
  var starvingTicket: Ticket?
  private var mode = AudioLatencyMode.audioOnly
  /// The device asked for; nil is the default one.
  private var device: String?
  var scratch: [Float] = []
  var fading: [Float] = []
  var starting: (item: ItemID, epoch: UInt64, frame: Int64)?

  struct Preparation {
    var epoch: UInt64
    var sample: Int64
  }

  struct Active {
    var item: ItemID
    var epoch: UInt64
    var rate: Double
    /// The timeline's state when this start was asked for: a change that comes after a stop is void.
    var transport: UInt64
    /// Where the item ends by an end time, in samples; silence follows.
    var endSample: Int64?
  }

  /// Rendered beyond what the sink asks for, so that it seldom asks.
  var extraFrames: Int64 {
    let rate = Int64(sink?.format.sampleRate ?? 48_000)
    return mode == .audioOnly ? rate : rate / 5
  }

  static let packetsPerStep = 48
  static let chunk: Int64 = 4096

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

  /// Sound for a target is wanted later: what is held before it goes.
  func passOver(_ item: ItemID, to target: CMTime) {
    queue.post("pass over sound") { [self] in feeders[item]?.passOver(to: target) }
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

  /// Pitch, volume and tap of an item's sound are others from now on.
  func setMix(_ mix: TrackMix, of item: ItemID) {
    queue.post("change mix") { [self] in changeMix(mix, item) }
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
  func join(
    _ next: ItemID, from time: CMTime, epoch: UInt64, after item: ItemID, at end: CMTime, number: UInt64,
    transport: UInt64
  ) {
    queue.post("join next sound") { [self] in append(next, time, epoch, item, end, number, transport) }
  }

  /// The next item does not take over after all.
  func unjoin(_ next: ItemID, to time: CMTime, epoch: UInt64) {
    queue.post("part from next sound") { [self] in
      timeline.takeBack(next, to: time, generation: epoch)
      takeBack(next)
    }
  }

  /// The joined item is the one being heard.
  func advance(to item: ItemID, epoch: UInt64) {
    queue.post("advance sound") { [self] in
      guard isRunning, let old = active else { return }
      active = Active(item: item, epoch: epoch, rate: old.rate, transport: old.transport)
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
}
