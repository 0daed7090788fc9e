/// What a relay does with one value of its upstream.
enum RelayStep<Output, Failure: Error> {
  case emit(Output)
  /// Another value is asked for in its place.
  case skip
  /// It was asked for beyond what downstream demanded.
  case drop
  /// Emit and finish.
  case last(Output)
  case finish
  case fail(Failure)
}

/// The engine of operators that answer each value with at most one: demand goes up unchanged, values come down.
final class Relay<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
  typealias Step = RelayStep<Downstream.Input, Downstream.Failure>

  private struct State {
    var downstream: Downstream?
    var upstream: (any Subscription)?
    /// Nothing more is taken from upstream; the downstream is still to be told.
    var isEnding = false
  }

  let description: String
  private let state: Guarded<State>
  private let eager: Subscribers.Demand
  private let step: (Input) -> Step
  private let end: (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

  /// - Parameters:
  ///   - eager: what is asked for at once, whatever downstream demands.
  ///   - step: one call at a time, and with no lock held.
  init(
    _ name: String, _ downstream: Downstream, eager: Subscribers.Demand = .none, step: @escaping (Input) -> Step,
    end: @escaping (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>
  ) {
    description = name
    state = Guarded(State(downstream: downstream))
    self.eager = eager
    self.step = step
    self.end = end
  }

  func receive(subscription: any Subscription) {
    let downstream = state.withLock { state -> Downstream? in
      guard let downstream = state.downstream, state.upstream == nil, !state.isEnding else { return nil }
      state.upstream = subscription
      return downstream
    }
    guard let downstream else {
      subscription.cancel()
      return
    }
    downstream.receive(subscription: self)
    if eager > 0 { subscription.request(eager) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard let downstream = state.withLock({ $0.upstream == nil || $0.isEnding ? nil : $0.downstream }) else {
      return .none
    }
    switch step(input) {
    case .emit(let value): return downstream.receive(value)
    case .skip: return .max(1)
    case .drop: return .none
    case .last(let value): finish(.finished, with: value)
    case .finish: finish(.finished)
    case .fail(let error): finish(.failure(error))
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let before = state.withLock { state -> State in
      guard state.upstream != nil, !state.isEnding else { return State() }
      let before = state
      state = State()
      return before
    }
    before.downstream?.receive(completion: end(completion))
  }

  /// Ends before upstream does.
  private func finish(_ completion: Subscribers.Completion<Downstream.Failure>, with value: Downstream.Input? = nil) {
    let (downstream, upstream) = state.withLock { state -> (Downstream?, (any Subscription)?) in
      guard !state.isEnding else { return (nil, nil) }
      let upstream = state.upstream
      state.isEnding = true
      state.upstream = nil
      return (state.downstream, upstream)
    }
    if let downstream, let value { _ = downstream.receive(value) }
    upstream?.cancel()
    state.exchange(State()).downstream?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.upstream }?.request(demand)
  }

  func cancel() {
    state.exchange(State()).upstream?.cancel()
  }
}

extension Relay where Downstream.Failure == Failure {
  convenience init(
    _ name: String, _ downstream: Downstream, eager: Subscribers.Demand = .none, step: @escaping (Input) -> Step
  ) {
    self.init(name, downstream, eager: eager, step: step, end: { $0 })
  }
}

extension Relay where Downstream.Failure == any Error {
  /// For operators whose closure throws.
  convenience init(_ name: String, _ downstream: Downstream, trying step: @escaping (Input) throws -> Step) {
    self.init(
      name, downstream,
      step: { input in
        do { return try step(input) } catch { return .fail(error) }
      },
      end: { $0.mapError { $0 } })
  }
}
