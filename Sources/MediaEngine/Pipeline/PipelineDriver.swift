package import CoreMedia
internal import MediaIO
package import MediaRuntime

/// Moves a player's items from their sources to its outputs: the production `PlaybackDriver`.
///
/// Commands are taken on any thread and done in order on one light queue, `control`. Sources, decoders and the sound
/// work on queues of their own and report there. The timeline is halted on the caller's thread, so that a paused
/// player's time stands still at once.
package final class PipelineDriver: PlaybackDriver, @unchecked Sendable {
  // Sendable because the variables below `control` are touched on it only; `shared` is a lock.

  let environment: EngineEnvironment
  let control: SerialQueue
  let timeline: Timeline
  private let onEvent: @Sendable (DriverEvent) -> Void
  private let live = LiveObject(.driver)

  /// What answers callers at once.
  private let shared = Lock(Shared())

  private struct Shared {
    var current: ItemID?
    var timebases: [ItemID: CMTimebase] = [:]
    var meters: [ItemID: ItemMeter] = [:]
    var isClosed = false
  }

  var items: [ItemID: ItemPipeline] = [:]
  var currentID: ItemID?
  var upcoming: [ItemID] = []
  /// The run that was asked for and has not begun.
  var wanted: Wanted?
  var running: Running?
  var tickTicket: Ticket?
  var endTicket: Ticket?
  var startTicket: Ticket?
  var prerolls: Set<ItemID> = []
  /// Counts the joins.
  var joins: UInt64 = 0
  /// Counts the runs backward.
  var backwardRuns: UInt64 = 0
  var frameRate = FrameRateMeter()
  let audio: AudioRenderer

  struct Wanted {
    var rate: Float
    var time: CMTime?
    var hostTime: HostTime?
    var transport: UInt64
  }

  struct Running {
    var item: ItemID
    var rate: Float
    var epoch: UInt64
    var hasSound: Bool
    var transport: UInt64
    var hasReportedEnd = false
    var isMoving = false
    var joining: Joining?
    var backward: Backward?
  }

  /// What a run backward has in place of the item's own decoding.
  struct Backward {
    /// What an older one reports is void.
    var number: UInt64
    /// Nil where the pictures are switched off.
    var video: ReverseVideo?
    /// When it was to begin.
    var hostTime: HostTime?
    /// The timeline has its stretch.
    var isLaidOut = false
  }

  /// The item that takes over at the end without a break.
  struct Joining {
    var item: ItemID
    /// Where it begins.
    var start: CMTime
    var epoch: UInt64
    /// What the sound reports of an older one is void.
    var number: UInt64
    /// The sound carries it over; else the timeline alone.
    var isBySound: Bool
  }

  /// - Parameter onEvent: called on the control queue, one event at a time, until `close`.
  package init(environment: EngineEnvironment, onEvent: @escaping @Sendable (DriverEvent) -> Void) {
    self.environment = environment
    self.onEvent = onEvent
    control = environment.scheduler.queue("player control", .light)
    timeline = Timeline(scheduler: environment.scheduler)
    audio = AudioRenderer(environment: environment, timeline: timeline, label: "player")
    audio.reports = audioReports
  }

  func makeCurrent(_ item: ItemID) {
    currentID = item
    shared.withLock { $0.current = item }
  }

  func emit(_ event: DriverEvent) {
    guard !shared.withLock({ $0.isClosed }) else { return }
    onEvent(event)
  }

  private func post(_ name: String, _ body: @escaping @Sendable (PipelineDriver) -> Void) {
    control.post(name) { [weak self] in
      guard let self else { return }
      body(self)
    }
  }

  var current: ItemPipeline? { currentID.flatMap { items[$0] } }

  // MARK: Items

  package func attach(_ item: ItemID, asset: AssetCore, configuration: ItemConfiguration) {
    let timebase = CMTimebase(provider: ItemTimebase(timeline: timeline, item: item))
    let meter = ItemMeter()
    shared.withLock { shared in
      shared.timebases[item] = timebase
      shared.meters[item] = meter
    }
    post("attach item") { driver in
      guard driver.items[item] == nil else { return }
      let pipeline = ItemPipeline(
        id: item, asset: asset, configuration: configuration, environment: driver.environment,
        control: driver.control, timeline: driver.timeline, audio: driver.audio, meter: meter,
        hooks: driver.hooks)
      driver.items[item] = pipeline
      pipeline.begin()
    }
  }

  package func detach(_ item: ItemID) {
    shared.withLock { shared in
      shared.timebases[item] = nil
      shared.meters[item] = nil
    }
    post("detach item") { driver in
      if driver.running?.item == item { driver.stopRunning(landsAnew: false) }
      driver.unjoin(item)
      driver.prerolls.remove(item)
      driver.items.removeValue(forKey: item)?.close()
    }
  }

  package func setCurrent(_ item: ItemID?, upcoming: [ItemID]) {
    let old = shared.withLock { shared in
      defer { shared.current = item }
      return shared.current
    }
    if let old, old != item { timeline.halt(old) }
    post("set current item") { driver in
      driver.upcoming = upcoming
      guard driver.currentID != item else {
        if let next = driver.running?.joining?.item, next != upcoming.first { driver.unjoin(next) }
        return driver.upcomingChanged()
      }
      driver.stopRunning()
      driver.wanted = nil
      driver.currentID = item
      driver.upcomingChanged()
    }
  }

  package func reconfigure(_ item: ItemID, _ configuration: ItemConfiguration) {
    post("configure item") { driver in
      driver.unjoin(item)
      driver.items[item]?.reconfigure(configuration)
      driver.upcomingChanged()
    }
  }

  private var hooks: ItemPipeline.Hooks {
    ItemPipeline.Hooks(
      emit: { [weak self] event in self?.emit(event) },
      becameStartable: { [weak self] item in self?.becameStartable(item) },
      endChanged: { [weak self] item in self?.endChanged(item) },
      framesCame: { [weak self] item in
        guard let self, self.running?.item == item.id else { return }
        self.tick()
      },
      restart: { [weak self] item in self?.restart(item) },
      pictureChanges: { [weak self] item in
        if let self, self.running?.rate ?? 0 < 0 { self.restart(item) }
      },
      subtitlesChanged: { [weak self] item in self?.showSubtitles(item) })
  }

  private func restart(_ item: ItemPipeline) {
    guard let running, running.item == item.id else { return }
    let transport = timeline.interrupt(item.id)
    stopRunning()
    wanted = Wanted(rate: running.rate, transport: transport)
  }

  // MARK: Transport

  package func run(rate: Float, from time: CMTime?, at hostTime: HostTime?) {
    // What runs now ends here: only what halts from here on voids the new start.
    if time != nil || hostTime != nil, let current = shared.withLock({ $0.current }) { timeline.halt(current) }
    let transport = timeline.transport
    post("run") { driver in
      driver.run(Wanted(rate: rate, time: time, hostTime: hostTime, transport: transport))
    }
  }

  package func halt() {
    if let current = shared.withLock({ $0.current }) { timeline.halt(current) }
    post("halt") { driver in
      driver.wanted = nil
      driver.stopRunning()
    }
  }

  package func seek(_ item: ItemID, _ request: SeekRequest) {
    if shared.withLock({ $0.current }) == item { timeline.halt(item) }
    post("seek") { driver in
      guard let pipeline = driver.items[item] else { return }
      if driver.currentID == item {
        driver.wanted = nil
        driver.stopRunning(landsAnew: false)
      }
      driver.cancelPreroll(item)
      driver.unjoin(item)
      pipeline.seek(request)
    }
  }

  package func step(_ item: ItemID, by count: Int, id: SeekID) {
    if shared.withLock({ $0.current }) == item { timeline.halt(item) }
    post("step") { driver in
      guard let pipeline = driver.items[item] else { return }
      if driver.currentID == item {
        driver.wanted = nil
        driver.stopRunning()
      }
      pipeline.step(by: count, id: id)
    }
  }

  package func preroll(_ item: ItemID, rate: Float) {
    post("preroll") { driver in
      guard let pipeline = driver.items[item] else { return }
      driver.prerolls.insert(item)
      driver.becameStartable(pipeline)
    }
  }

  package func setAudioDevice(_ name: String?) {
    audio.setDevice(name)
  }

  package func setGain(_ gain: Float) {
    audio.setGain(gain.isFinite ? min(max(gain, 0), 1) : 0)
  }

  // MARK: Answers

  package var supportedRates: SupportedRates {
    var rates = SupportedRates()
    (rates.reverse, rates.slowReverse, rates.fastReverse) = (true, true, true)
    return rates
  }

  package func currentTime(of item: ItemID) -> CMTime { timeline.time(of: item) }

  package func hostTime(of time: CMTime, in item: ItemID) -> HostTime? { timeline.hostTime(of: time, in: item) }

  package func counters(of item: ItemID) -> PlaybackCounters? { shared.withLock { $0.meters[item] }?.counters }

  package func timebase(of item: ItemID) -> CMTimebase? { shared.withLock { $0.timebases[item] } }

  // MARK: Outputs

  package func add(_ output: VideoFrameOutput, to item: ItemID) {
    post("add output") { driver in
      guard let pipeline = driver.items[item], !pipeline.outputs.contains(where: { $0 === output }) else { return }
      pipeline.outputs.append(output)
      pipeline.video?.setOutputs(pipeline.outputs)
    }
  }

  package func remove(_ output: VideoFrameOutput, from item: ItemID) {
    post("remove output") { driver in
      guard let pipeline = driver.items[item] else { return }
      pipeline.outputs.removeAll { $0 === output }
      pipeline.video?.setOutputs(pipeline.outputs)
      // The output may have been added again meanwhile; if not, it has forgotten them already.
      output.flush(of: item)
    }
  }

  package func close() {
    shared.withLock { shared in
      shared.isClosed = true
      shared.timebases = [:]
      shared.meters = [:]
    }
    control.post("close player") { [self] in
      stopRunning(landsAnew: false)
      wanted = nil
      for item in items.values { item.close() }
      items = [:]
      audio.close()
      control.close()
    }
  }

  // MARK: Reports of the sound

  private var audioReports: AudioRenderer.Reports {
    AudioRenderer.Reports(
      prepared: { [weak self] item, epoch in
        self?.post("sound is prepared") { $0.items[item]?.soundPrepared(epoch) }
      },
      started: { [weak self] item, epoch, time in
        self?.post("sound runs") { $0.soundStarted(item, epoch, time) }
      },
      stalled: { [weak self] item, epoch in
        self?.post("sound has run dry") { driver in
          guard driver.running?.item == item, driver.running?.epoch == epoch else { return }
          driver.stall()
        }
      },
      ended: { [weak self] item, epoch, end, failure in
        self?.post("sound ended") { $0.items[item]?.soundEnded(epoch, end, failure) }
      },
      joined: { [weak self] number, time in
        self?.post("sound joins the next item") { $0.joined(number, at: time) }
      },
      interruption: { [weak self] began in
        self?.post("interruption") { $0.emit(began ? .interruptionBegan : .interruptionEnded) }
      },
      lost: { error in
        // The sink has told the user already.
        if let error { Log.engine.debug("\(error)") }
      })
  }
}

extension Log {
  static let engine = Log("engine")
}
