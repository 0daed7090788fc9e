/// The engine of operators that go from one publisher to the next: what was demanded and has not come is asked of the
/// next one.
final class Succession<Output, Failure: Error>: Subscription, CustomStringConvertible {
  private struct State {
    var demand = Subscribers.Demand.none
    /// The publisher that is listened to; others are of the past.
    var generation: UInt64 = 0
    var isListening = false
    var current: (any Subscription)?
    /// What brings the publishers, when they come over time.
    var outer: (any Subscription)?
    var isSealed = false
    var isOver = false
  }

  let description: String
  private let state = Guarded(State())
  private let outlet: Outlet<Output, Failure>

  init<S: Subscriber>(_ name: String, _ downstream: S) where S.Input == Output, S.Failure == Failure {
    description = name
    outlet = Outlet(downstream)
  }

  /// Gives downstream its subscription.
  func begin() {
    outlet.put(.subscription(self))
    outlet.tell(request)
  }

  /// - Returns: false when it is over, or has one already; the subscription is cancelled then.
  func begin(outer: any Subscription) -> Bool {
    let isTaken = state.withLock { state -> Bool in
      guard !state.isOver, !state.isSealed, state.outer == nil else { return false }
      state.outer = outer
      return true
    }
    if isTaken { begin() } else { outer.cancel() }
    return isTaken
  }

  /// Keeps a subscription that is given up at the end.
  func hold(_ subscription: any Subscription) -> Bool {
    let isTaken = state.withLock { state -> Bool in
      guard !state.isOver, state.outer == nil else { return false }
      state.outer = subscription
      return true
    }
    if !isTaken { subscription.cancel() }
    return isTaken
  }

  /// Listens to a publisher in place of the one before.
  func follow<P: Publisher>(_ publisher: P, ended: @escaping (Subscribers.Completion<P.Failure>) -> Void)
  where P.Output == Output {
    let (generation, before) = state.withLock { state -> (UInt64?, (any Subscription)?) in
      guard !state.isOver else { return (nil, nil) }
      let before = state.current
      state.current = nil
      state.generation += 1
      state.isListening = true
      return (state.generation, before)
    }
    before?.cancel()
    guard let generation else { return }
    publisher.subscribe(Inlet(owner: self, generation: generation, ended: ended))
  }

  /// No publisher comes any more: it finishes with the present one.
  func seal() {
    let outer = state.withLock { state in
      let outer = state.outer
      state.isSealed = true
      state.outer = nil
      return outer
    }
    finishWhenSealed()
    withExtendedLifetime(outer) {}
  }

  /// The present publisher has finished: if no other comes, that is the end.
  func finishWhenSealed() {
    if state.withLock({ $0.isSealed && !$0.isListening }) { finish(.finished) }
  }

  func finish(_ completion: Subscribers.Completion<Failure>) {
    guard let before = stop() else { return }
    outlet.put(.completion(completion))
    before.current?.cancel()
    before.outer?.cancel()
    outlet.tell(request)
  }

  private func stop() -> State? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      let before = state
      state = State(generation: state.generation + 1, isOver: true)
      return before
    }
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { preconditionFailure("A subscriber asked for no value at all.") }
    let current = state.withLock { state -> (any Subscription)? in
      state.demand += demand
      return state.current
    }
    current?.request(demand)
  }

  func cancel() {
    let before = stop()
    outlet.close()
    before?.current?.cancel()
    before?.outer?.cancel()
  }

  private final class Inlet<InletFailure: Error>: Subscriber {
    private let owner: Succession
    private let generation: UInt64
    private let ended: (Subscribers.Completion<InletFailure>) -> Void

    init(owner: Succession, generation: UInt64, ended: @escaping (Subscribers.Completion<InletFailure>) -> Void) {
      self.owner = owner
      self.generation = generation
      self.ended = ended
    }

    func receive(subscription: any Subscription) {
      let demand = owner.state.withLock { state -> Subscribers.Demand? in
        guard state.generation == generation, state.isListening, state.current == nil else { return nil }
        state.current = subscription
        return state.demand
      }
      guard let demand else {
        subscription.cancel()
        return
      }
      if demand > 0 { subscription.request(demand) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      owner.state.withLock { state in
        guard state.generation == generation, state.isListening else { return }
        if state.demand > 0 { state.demand -= 1 }
        owner.outlet.put(.value(input))
      }
      owner.outlet.tell(owner.request)
      return .none
    }

    func receive(completion: Subscribers.Completion<InletFailure>) {
      let (isCurrent, freed) = owner.state.withLock { state -> (Bool, (any Subscription)?) in
        guard state.generation == generation, state.isListening else { return (false, nil) }
        let freed = state.current
        state.isListening = false
        state.current = nil
        return (true, freed)
      }
      if isCurrent { ended(completion) }
      withExtendedLifetime(freed) {}
    }
  }
}
