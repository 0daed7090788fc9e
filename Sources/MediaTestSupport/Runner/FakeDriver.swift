package import CoreMedia
package import MediaEngine
package import MediaRuntime

/// A driver without media: opens, becomes ready, starts, lands and ends when its script says so, on the scheduler's time.
///
/// For tests of what is above the driver. It reports at once what the real one would find out by reading and decoding.
package final class FakeDriver: PlaybackDriver {
  package struct Script: Sendable {
    package var description = MediaDescription.fake()
    package var buffer = BufferState.whole
    package var openingTime = Nanoseconds.milliseconds(10)
    package var readyingTime = Nanoseconds.milliseconds(10)
    package var startingTime = Nanoseconds.milliseconds(5)
    package var seekingTime = Nanoseconds.milliseconds(20)
    /// Opening ends in this instead.
    package var failure: MediaError?
    /// Never opens: the source keeps silent.
    package var isSilent = false

    package init() {}
  }

  struct Item {
    var script: Script
    var nanoseconds: Int64 = 0
    var isReady = false
    var seek: SeekRequest?
    var end: Int64
  }

  struct Movement {
    var item: ItemID
    var from: Int64
    var since: HostTime
    var rate: Double
  }

  struct State {
    var items: [ItemID: Item] = [:]
    var scripts: [String: Script] = [:]
    var current: ItemID?
    var upcoming: [ItemID] = []
    var movement: Movement?
    /// Cancels what a `run` set going.
    var transport = Ticket()
    var calls: [String] = []
    var isClosed = false
  }

  package let supportedRates: SupportedRates
  private let scheduler: any Scheduler
  private let queue: SerialQueue
  private let onEvent: DriverEventHandler
  let state: Lock<State>

  /// - Parameter scripts: by the last part of the asset's address; others get the default script.
  package init(
    scheduler: any Scheduler, scripts: [String: Script] = [:], rates: SupportedRates = SupportedRates(),
    onEvent: @escaping DriverEventHandler
  ) {
    self.scheduler = scheduler
    self.onEvent = onEvent
    supportedRates = rates
    queue = scheduler.queue("fake driver", .light)
    state = Lock(State(scripts: scripts))
  }

  /// What it was told, in order.
  package var calls: [String] { state.withLock { $0.calls } }
  package var attachedCount: Int { state.withLock { $0.items.count } }
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Reports something by hand, in a step of its own.
  package func report(_ event: @escaping @Sendable (ItemID) -> DriverEvent) {
    guard let current = state.withLock({ $0.current }) else { return }
    later("reported by hand", .zero, nil) { $0.onEvent(event(current)) }
  }

  /// The current item runs dry, and has enough again after a while.
  package func stall(for duration: Nanoseconds) {
    guard let current = state.withLock({ $0.current }) else { return }
    later("stall", .zero, nil) { driver in
      driver.stand()
      driver.onEvent(.buffer(current, .dry))
      driver.onEvent(.stalled(current))
    }
    later("recover", duration, nil) { $0.onEvent(.buffer(current, .whole)) }
  }

  private func later(
    _ name: String, _ delay: Nanoseconds, _ ticket: Ticket?, _ work: @escaping @Sendable (FakeDriver) -> Void
  ) {
    queue.post(name, after: delay, ticket: ticket) { [weak self] in
      guard let self, !self.isClosed else { return }
      work(self)
    }
  }

  private func note(_ call: String) { state.withLock { $0.calls.append(call) } }

  // MARK: Items

  package func attach(_ id: ItemID, asset: AssetCore, configuration: ItemConfiguration) {
    let script = state.withLock { state in
      let script = state.scripts[asset.url.lastPathComponent] ?? Script()
      let duration = Self.nanoseconds(script.description.duration) ?? .max
      state.items[id] = Item(script: script, seek: configuration.startSeek, end: duration)
      state.calls.append("attach \(id.number)")
      return script
    }
    guard !script.isSilent else { return }
    later("open", script.openingTime, nil) { driver in
      guard driver.state.withLock({ $0.items[id] != nil }) else { return }
      if let failure = script.failure { return driver.onEvent(.failed(id, failure)) }
      driver.onEvent(.opened(id, script.description))
      driver.onEvent(.buffer(id, script.buffer))
      driver.later("ready", script.readyingTime, nil) { $0.becomeReady(id) }
    }
  }

  private func becomeReady(_ id: ItemID) {
    let seek = state.withLock { state -> SeekRequest?? in
      guard state.items[id] != nil else { return nil }
      state.items[id]?.isReady = true
      let seek = state.items[id]?.seek
      if let seek { state.move(id, to: seek.target) }
      state.items[id]?.seek = nil
      return .some(seek)
    }
    guard let seek else { return }
    if let seek { onEvent(.landed(id, seek.id, at: seek.target)) }
    onEvent(.ready(id))
  }

  package func detach(_ id: ItemID) {
    note("detach \(id.number)")
    if state.withLock({ $0.movement?.item == id }) { stand() }
    state.withLock { $0.items[id] = nil }
  }

  package func setCurrent(_ id: ItemID?, upcoming: [ItemID]) {
    note("current \(id.map { "\($0.number)" } ?? "none")" + upcoming.map { " then \($0.number)" }.joined())
    if state.withLock({ $0.current != id }) { stand() }
    state.withLock { state in
      state.current = id
      state.upcoming = upcoming
    }
  }

  package func reconfigure(_ item: ItemID, _ configuration: ItemConfiguration) { note("reconfigure \(item.number)") }
  package func setGain(_ gain: Float) { note("gain \(gain)") }
  package func add(_ output: VideoFrameOutput, to item: ItemID) { note("add output to \(item.number)") }
  package func remove(_ output: VideoFrameOutput, from item: ItemID) { note("remove output from \(item.number)") }

  package func close() {
    note("close")
    stand()
    state.withLock { state in
      state.isClosed = true
      state.items = [:]
    }
    queue.close()
  }

  // MARK: Transport

  package func run(rate: Float, from time: CMTime?, at hostTime: HostTime?) {
    note("run \(rate)")
    let now = scheduler.now
    let started: (id: ItemID, wasMoving: Bool, delay: Nanoseconds)? = state.withLock { state in
      guard let id = state.current, let item = state.items[id] else { return nil }
      let wasMoving = state.movement != nil
      if let time { state.move(id, to: time) }
      let position = state.nanoseconds(of: id, at: now)
      state.items[id]?.nanoseconds = position
      state.movement = nil
      return (id, wasMoving, wasMoving || hostTime != nil ? .zero : item.script.startingTime)
    }
    guard let started else { return }
    let ticket = newTransport()
    // A moving timebase changes its rate at once.
    if started.wasMoving { begin(started.id, rate) }
    later("start", started.delay, ticket) { driver in
      if !started.wasMoving { driver.begin(started.id, rate) }
      driver.onEvent(.started(started.id, rate: rate))
      driver.armEnd(started.id, ticket)
    }
  }

  private func begin(_ id: ItemID, _ rate: Float) {
    let now = scheduler.now
    state.withLock { state in
      guard let item = state.items[id] else { return }
      state.movement = Movement(item: id, from: item.nanoseconds, since: now, rate: Double(rate))
    }
  }

  private func armEnd(_ id: ItemID, _ ticket: Ticket) {
    let now = scheduler.now
    let delay = state.withLock { state -> Nanoseconds? in
      guard let item = state.items[id], let movement = state.movement, item.end != .max else { return nil }
      let position = state.nanoseconds(of: id, at: now)
      let distance = movement.rate > 0 ? item.end - position : position
      return Nanoseconds(Int64((Double(max(distance, 0)) / abs(movement.rate)).rounded(.up)))
    }
    guard let delay else { return }
    later("end", delay, ticket) { $0.end(id, ticket) }
  }

  private func end(_ id: ItemID, _ ticket: Ticket) {
    let now = scheduler.now
    let next = state.withLock { state -> ItemID? in
      guard let movement = state.movement, movement.rate > 0, let next = state.upcoming.first,
        state.items[next]?.isReady == true
      else { return nil }
      let end = state.items[id]?.end ?? 0
      state.items[id]?.nanoseconds = end
      state.current = next
      state.upcoming = []
      state.movement = Movement(
        item: next, from: state.items[next]?.nanoseconds ?? 0, since: now, rate: movement.rate)
      return next
    }
    if let next {
      onEvent(.advanced(from: id, to: next))
      armEnd(next, ticket)
    } else {
      onEvent(.reachedEnd(id))
    }
  }

  package func halt() {
    note("halt")
    stand()
  }

  private func stand() {
    _ = newTransport()
    let now = scheduler.now
    state.withLock { state in
      guard let movement = state.movement else { return }
      let position = state.nanoseconds(of: movement.item, at: now)
      state.items[movement.item]?.nanoseconds = position
      state.movement = nil
    }
  }

  private func newTransport() -> Ticket {
    let ticket = Ticket()
    let old = state.withLock { state in
      defer { state.transport = ticket }
      return state.transport
    }
    old.cancel()
    return ticket
  }

  package func seek(_ id: ItemID, _ request: SeekRequest) {
    note("seek \(id.number) to \(request.target.seconds)")
    if state.withLock({ $0.movement?.item == id }) { stand() }
    let delay = state.withLock { state -> Nanoseconds? in
      state.items[id]?.seek = request
      return state.items[id]?.isReady == true ? state.items[id]?.script.seekingTime : nil
    }
    if let delay { later("land", delay, nil) { $0.land(id, request.id) } }
  }

  private func land(_ id: ItemID, _ seek: SeekID) {
    let target = state.withLock { state -> CMTime? in
      guard let request = state.items[id]?.seek, request.id == seek else { return nil }
      state.items[id]?.seek = nil
      state.move(id, to: request.target)
      return request.target
    }
    if let target { onEvent(.landed(id, seek, at: target)) }
  }

  package func step(_ id: ItemID, by count: Int, id seek: SeekID) {
    note("step \(id.number) by \(count)")
    state.withLock { state in
      guard let item = state.items[id] else { return }
      state.items[id]?.seek = nil
      state.items[id]?.nanoseconds = min(max(item.nanoseconds + Int64(count) * 40_000_000, 0), item.end)
    }
    later("step", .milliseconds(1), nil) { $0.onEvent(.landed(id, seek, at: .zero)) }
  }

  package func preroll(_ id: ItemID, rate: Float) {
    note("preroll \(id.number) \(rate)")
    later("prerolled", .milliseconds(10), nil) { $0.onEvent(.prerolled(id, finished: true)) }
  }

  // MARK: Answers

  package func currentTime(of id: ItemID) -> CMTime {
    let now = scheduler.now
    return CMTime(value: state.withLock { $0.nanoseconds(of: id, at: now) }, timescale: 1_000_000_000)
  }

  package func hostTime(of time: CMTime, in id: ItemID) -> HostTime? {
    let now = scheduler.now
    guard let target = Self.nanoseconds(time) else { return nil }
    return state.withLock { state in
      guard let movement = state.movement, movement.item == id, let item = state.items[id], target <= item.end
      else { return nil }
      let wait = Double(target - state.nanoseconds(of: id, at: now)) / movement.rate
      return wait >= 0 ? now + Nanoseconds(Int64(wait.rounded(.up))) : nil
    }
  }

  package func timebase(of item: ItemID) -> CMTimebase? { nil }

  static func nanoseconds(_ time: CMTime) -> Int64? {
    guard time.isNumeric else { return nil }
    return CMTimeConvertScale(time, timescale: 1_000_000_000, method: .roundHalfAwayFromZero).value
  }
}

extension FakeDriver.State {
  /// Goes on past the end, as a timebase does until it is halted.
  func nanoseconds(of id: ItemID, at now: HostTime) -> Int64 {
    guard let movement, movement.item == id else { return items[id]?.nanoseconds ?? 0 }
    return movement.from + Int64((Double((now - movement.since).count) * movement.rate).rounded())
  }

  mutating func move(_ id: ItemID, to time: CMTime) {
    guard let item = items[id] else { return }
    items[id]?.nanoseconds =
      time.isPositiveInfinity ? item.end : min(max(FakeDriver.nanoseconds(time) ?? 0, 0), item.end)
  }
}
