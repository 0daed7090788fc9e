/// The values of several publishers that make one output.
protocol JoinSlots<Output> {
  associatedtype Output

  /// Taking an output uses its values up.
  static var isConsuming: Bool { get }

  /// An output, when there is a value from each. Called under a lock: nothing but what the values themselves are.
  mutating func take() -> Output?
  /// Whether no output can come once these have finished.
  func isDry(_ finished: [Bool]) -> Bool
}

/// The engine of operators that make one value of several publishers' values.
final class Joined<Slots: JoinSlots, Failure: Error>: Subscription, CustomStringConvertible {
  private struct State {
    var slots: Slots?
    var demand = Subscribers.Demand.none
    var subscriptions: [(any Subscription)?]
    var finished: [Bool]
    var isOver = false
  }

  let description: String
  private let state: Guarded<State>
  private let outlet: Outlet<Slots.Output, Failure>

  init<S: Subscriber>(_ name: String, _ downstream: S, _ slots: Slots, count: Int)
  where S.Input == Slots.Output, S.Failure == Failure {
    description = name
    outlet = Outlet(downstream)
    state = Guarded(
      State(
        slots: slots, subscriptions: Array(repeating: nil, count: count),
        finished: Array(repeating: false, count: count)))
    outlet.put(.subscription(self))
    outlet.tell(request)
  }

  func listen<P: Publisher>(_ index: Int, _ publisher: P, write: @escaping (inout Slots, P.Output) -> Void)
  where P.Failure == Failure {
    guard state.withLock({ !$0.isOver }) else { return }
    publisher.subscribe(Inlet(owner: self, index: index, write: write))
  }

  /// Everything that is ready now, and the end when it has come. Under the lock.
  private func take(_ state: inout State, many: Bool) -> State? {
    while state.demand > 0, let output = state.slots?.take() {
      state.demand -= 1
      outlet.put(.value(output))
      if !many { break }
    }
    guard let slots = state.slots, slots.isDry(state.finished) else { return nil }
    outlet.put(.completion(.finished))
    return stop(&state)
  }

  private func stop(_ state: inout State) -> State? {
    guard !state.isOver else { return nil }
    let before = state
    state = State(slots: nil, subscriptions: [], finished: [], isOver: true)
    return before
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { preconditionFailure("A subscriber asked for no value at all.") }
    let (subscriptions, ended) = state.withLock { state -> ([(any Subscription)?], State?) in
      guard !state.isOver else { return ([], nil) }
      state.demand += demand
      let subscriptions = state.subscriptions
      return (subscriptions, Slots.isConsuming ? take(&state, many: true) : nil)
    }
    outlet.tell(request)
    if let ended {
      for subscription in ended.subscriptions { subscription?.cancel() }
    } else {
      for subscription in subscriptions { subscription?.request(demand) }
    }
  }

  func cancel() {
    let before = state.withLock { stop(&$0) }
    outlet.close()
    for subscription in before?.subscriptions ?? [] { subscription?.cancel() }
  }

  private final class Inlet<Input>: Subscriber {
    private let owner: Joined
    private let index: Int
    private let write: (inout Slots, Input) -> Void

    init(owner: Joined, index: Int, write: @escaping (inout Slots, Input) -> Void) {
      self.owner = owner
      self.index = index
      self.write = write
    }

    private func isOpen(_ state: State) -> Bool { !state.isOver && !state.finished[index] }

    func receive(subscription: any Subscription) {
      let demand = owner.state.withLock { state -> Subscribers.Demand? in
        guard isOpen(state), state.subscriptions[index] == nil else { return nil }
        state.subscriptions[index] = subscription
        return state.demand
      }
      guard let demand else {
        subscription.cancel()
        return
      }
      if demand > 0 { subscription.request(demand) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      let freed = owner.state.withLock { state -> (Slots?, State?) in
        guard isOpen(state), var slots = state.slots else { return (nil, nil) }
        // What is replaced goes when the lock is open.
        let before = Slots.isConsuming ? nil : slots
        state.slots = nil
        write(&slots, input)
        state.slots = slots
        return (before, owner.take(&state, many: false))
      }
      owner.outlet.tell(owner.request)
      for subscription in freed.1?.subscriptions ?? [] { subscription?.cancel() }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let (mine, ended) = owner.state.withLock { state -> ((any Subscription)?, State?) in
        guard isOpen(state) else { return (nil, nil) }
        let mine = state.subscriptions[index]
        state.finished[index] = true
        state.subscriptions[index] = nil
        var isEnd = state.slots?.isDry(state.finished) ?? true
        if case .failure = completion { isEnd = true }
        guard isEnd else { return (mine, nil) }
        owner.outlet.put(.completion(completion))
        return (mine, owner.stop(&state))
      }
      owner.outlet.tell(owner.request)
      for subscription in ended?.subscriptions ?? [] { subscription?.cancel() }
      withExtendedLifetime(mine) {}
    }
  }
}
