import CoreMedia
import Dispatch
import MediaRuntime

/// A player's time observers: one timer for all, armed only while time moves.
///
/// Everything is computed in steps of the player's queue, in the order of the transitions that caused them.
final class TimeObservers: Sendable {
  fileprivate struct State: Sendable {
    var schedule = ObserverSchedule()
    var observers: [UInt64: TimeObserver] = [:]
    var number: UInt64 = 0
    var item: ItemID?
    var isPlaying = false
    var timer: Ticket?
    var isClosed = false
  }

  private let scheduler: any Scheduler
  private let queue: SerialQueue
  private let driver: any PlaybackDriver
  private let state = Lock(State())

  init(scheduler: any Scheduler, queue: SerialQueue, driver: any PlaybackDriver) {
    self.scheduler = scheduler
    self.queue = queue
    self.driver = driver
  }

  // MARK: Adding and removing

  func addPeriodic(_ interval: CMTime, _ queue: DispatchQueue?, _ block: @escaping @Sendable (CMTime) -> Void)
    -> ObserverToken
  {
    add(TimeObserver(.periodic(interval), queue, block))
  }

  func addBoundary(_ times: [CMTime], _ queue: DispatchQueue?, _ block: @escaping @Sendable () -> Void)
    -> ObserverToken
  {
    let ascending = times.filter(\.isNumeric).sorted { $0 < $1 }
    return add(TimeObserver(.boundary(ascending), queue) { _ in block() })
  }

  private func add(_ observer: TimeObserver) -> ObserverToken {
    let id = state.withLock { state in
      state.number += 1
      if !state.isClosed { state.observers[state.number] = observer }
      return state.number
    }
    post("observer added") { observers in observers.begin(id) }
    return ObserverToken(observer) { [weak self] in self?.remove(id, observer) }
  }

  func remove(_ token: ObserverToken) {
    let id = state.withLock { $0.observers.first { $0.value === token.observer }?.key }
    if let id { remove(id, token.observer) }
  }

  func owns(_ token: ObserverToken) -> Bool {
    state.withLock { state in state.observers.contains { $0.value === token.observer } }
  }

  private func remove(_ id: UInt64, _ observer: TimeObserver) {
    observer.end()
    state.withLock { state in
      state.observers[id] = nil
      state.schedule.remove(id)
      if state.observers.isEmpty { Self.cancelTimer(&state) }
    }
  }

  func close() {
    let old = state.withLock { state in
      state.isClosed = true
      Self.cancelTimer(&state)
      defer { state.observers = [:] }
      return Array(state.observers.values)
    }
    for observer in old { observer.end() }
  }

  // MARK: What happens to time

  /// Edges of one transition, after which `item` is current and `rate` wanted. Returns at once.
  func take(_ edges: [ObserverEdge], item: ItemID?, rate: Float) {
    post("observer edge") { observers in observers.pass(edges, item, rate) }
  }

  private func pass(_ edges: [ObserverEdge], _ item: ItemID?, _ rate: Float) {
    let leaps = edges.contains(.jumped) || edges.contains(.advanced)
    let time = now(of: item)
    let due = state.withLock { state -> [(TimeObserver, CMTime)] in
      guard !state.isClosed else { return [] }
      var calls: [(id: UInt64, time: CMTime)] = []
      if leaps {
        // Boundaries near the end of an item that was played out have been passed.
        if edges.contains(.advanced) { calls = state.passBoundaries(to: .positiveInfinity) }
        state.schedule.leap(to: time)
      } else if state.isPlaying {
        calls = state.passBoundaries(to: time)
      }
      state.item = item
      if edges.contains(.started) { state.isPlaying = true }
      if edges.contains(.stopped) { state.isPlaying = false }
      // After a stop the direction of what was played stays, until playing begins anew.
      if rate != 0 { state.schedule.rate = rate }
      if edges != [.rateChanged] { calls += state.callPeriodic(at: time) }
      return state.resolve(calls)
    }
    call(due)
    arm()
  }

  private func begin(_ id: UInt64) {
    let item = state.withLock { $0.item }
    let time = now(of: item)
    let due = state.withLock { state -> [(TimeObserver, CMTime)] in
      guard let observer = state.observers[id] else { return [] }
      state.schedule.add(id, observer.kind, at: time)
      if case .periodic = observer.kind { return [(observer, time)] }
      return []
    }
    call(due)
    arm()
  }

  private func timerFired() {
    let item = state.withLock { $0.item }
    let time = now(of: item)
    let due = state.withLock { state -> [(TimeObserver, CMTime)] in
      state.timer = nil
      guard state.isPlaying, state.item == item else { return [] }
      return state.resolve(state.schedule.pass(to: time))
    }
    call(due)
    arm()
  }

  /// Sets the one timer for what is due next; none while time stands or nobody watches.
  private func arm() {
    let (item, next) = state.withLock { state -> (ItemID?, CMTime?) in
      Self.cancelTimer(&state)
      return state.isPlaying && !state.isClosed ? (state.item, state.schedule.next) : (nil, nil)
    }
    guard let item, let next, let due = driver.hostTime(of: next, in: item) else { return }
    let ticket = Ticket()
    state.withLock { $0.timer = ticket }
    // A clock that disagrees with its own prediction must not make this spin.
    let delay = max(due - scheduler.now, Nanoseconds.milliseconds(1))
    queue.post("observer due", after: delay, ticket: ticket) { [weak self] in self?.timerFired() }
  }

  private static func cancelTimer(_ state: inout State) {
    state.timer?.cancel()
    state.timer = nil
  }

  private func now(of item: ItemID?) -> CMTime {
    guard let item else { return .zero }
    let time = driver.currentTime(of: item)
    return time.isNumeric ? time : .zero
  }

  private func call(_ due: [(TimeObserver, CMTime)]) {
    for (observer, time) in due {
      scheduler.deliver("time observer", to: observer.queue) { observer.call(time) }
    }
  }

  private func post(_ name: String, _ work: @escaping @Sendable (TimeObservers) -> Void) {
    queue.post(name) { [weak self] in
      if let self { work(self) }
    }
  }
}

extension TimeObservers.State {
  /// Boundaries up to here; periodic observers are called by the edge itself.
  fileprivate mutating func passBoundaries(to time: CMTime) -> [(id: UInt64, time: CMTime)] {
    schedule.pass(to: time).filter { call in
      if case .boundary = observers[call.id]?.kind { true } else { false }
    }
  }

  fileprivate mutating func callPeriodic(at time: CMTime) -> [(id: UInt64, time: CMTime)] {
    schedule.order.compactMap { id in
      guard case .periodic = observers[id]?.kind else { return nil }
      schedule.watches[id]?.served = time
      return (id, time)
    }
  }

  fileprivate func resolve(_ calls: [(id: UInt64, time: CMTime)]) -> [(TimeObserver, CMTime)] {
    calls.compactMap { call in observers[call.id].map { ($0, call.time) } }
  }
}
