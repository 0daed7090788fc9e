extension Subscribers {
  /// Asks for everything and gives it to closures.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible {
    private enum Phase {
      case waiting
      case active(any Subscription)
      case over
    }

    private struct State {
      var phase = Phase.waiting
      var receiveValue: (Input) -> Void
      var receiveCompletion: (Subscribers.Completion<Failure>) -> Void
    }

    private let state: Guarded<State>

    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
    ) {
      state = Guarded(State(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
    }

    public var receiveValue: (Input) -> Void { state.withLock { $0.receiveValue } }
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void { state.withLock { $0.receiveCompletion } }
    public var description: String { "Sink" }

    public func receive(subscription: any Subscription) {
      let isFirst = state.withLock { state -> Bool in
        guard case .waiting = state.phase else { return false }
        state.phase = .active(subscription)
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    public func receive(_ value: Input) -> Subscribers.Demand {
      let receive = state.withLock { state -> ((Input) -> Void)? in
        if case .over = state.phase { return nil }
        return state.receiveValue
      }
      receive?(value)
      return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
      let before = end()
      if case .over = before.phase { return }
      before.receiveCompletion(completion)
    }

    public func cancel() {
      if case .active(let subscription) = end().phase { subscription.cancel() }
    }

    /// Lets go of the closures too: what they hold must not live on with a publisher that has ended.
    private func end() -> State {
      state.exchange(State(phase: .over, receiveValue: { _ in }, receiveCompletion: { _ in }))
    }
  }
}

extension Publisher {
  /// Calls the closures with everything that comes, until what is returned is cancelled or forgotten.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Calls the closure with every value, until what is returned is cancelled or forgotten.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
