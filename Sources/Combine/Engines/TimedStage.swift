/// The engine of operators that ask for everything and decide by time what of it they tell: what downstream did not
/// ask for is left out or kept, as each does.
final class TimedStage<Memory, Input, Output, Failure: Error>: Subscriber, Subscription, CustomStringConvertible {
  struct State {
    var upstream: (any Subscription)?
    var isOver = false
    var demand = Subscribers.Demand.none
    /// What the operator keeps.
    var memory: Memory
    /// Given up at the end.
    var timer: (any Cancellable)?
  }

  let description: String
  private let state: Guarded<State>
  private let fresh: Memory
  private let outlet: Outlet<Output, Failure>
  // Set once, before it is subscribed.
  var onStart: (TimedStage) -> Void = { _ in }
  var onValue: (TimedStage, Input) -> Void = { _, _ in }
  var onCompletion: (TimedStage, Subscribers.Completion<Failure>) -> Void = { _, _ in }

  init<S: Subscriber>(_ name: String, _ downstream: S, _ memory: Memory) where S.Input == Output, S.Failure == Failure {
    description = name
    fresh = memory
    outlet = Outlet(downstream)
    state = Guarded(State(memory: memory))
  }

  /// Decides something.
  func withMemory<Result>(_ body: (inout Memory) -> Result) -> Result {
    state.withLock { body(&$0.memory) }
  }

  /// Tells a value when there is a demand for it.
  /// - Parameter choose: picks the value under the lock; it must leave the memory as it is when it gives nil. Called
  ///   only with a demand, unless `always`, where the value is lost without one.
  func emit(always: Bool = false, _ choose: (inout Memory) -> Output?) {
    let lost = state.withLock { state -> Output? in
      guard !state.isOver, always || state.demand > 0, let value = choose(&state.memory) else { return nil }
      guard state.demand > 0 else { return value }
      state.demand -= 1
      outlet.put(.value(value))
      return nil
    }
    withExtendedLifetime(lost) {}
    outlet.tell(more)
  }

  /// Tells the end, and gives up the timer and upstream.
  func finish(_ completion: Subscribers.Completion<Failure>) {
    guard let before = stop() else { return }
    outlet.put(.completion(completion))
    before.timer?.cancel()
    outlet.tell(more)
  }

  func keep(_ timer: any Cancellable) {
    let isTaken = state.withLock { state -> Bool in
      guard !state.isOver, state.timer == nil else { return false }
      state.timer = timer
      return true
    }
    if !isTaken { timer.cancel() }
  }

  private func stop() -> State? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      let before = state
      state = State(isOver: true, memory: fresh)
      return before
    }
  }

  private func more(_ demand: Subscribers.Demand) {
    state.withLock { $0.demand += demand }
  }

  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state -> Bool in
      guard !state.isOver, state.upstream == nil else { return false }
      state.upstream = subscription
      return true
    }
    guard isFirst else {
      subscription.cancel()
      return
    }
    outlet.put(.subscription(self))
    outlet.tell(more)
    onStart(self)
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if state.withLock({ $0.upstream != nil }) { onValue(self, input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let upstream = state.withLock { state in
      defer { state.upstream = nil }
      return state.upstream
    }
    if upstream != nil { onCompletion(self, completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { preconditionFailure("A subscriber asked for no value at all.") }
    more(demand)
  }

  func cancel() {
    let before = stop()
    outlet.close()
    before?.timer?.cancel()
    before?.upstream?.cancel()
  }
}
