/// One value or a failure, brought by a closure that runs at once, and only once whoever subscribes.
///
/// Its promise may be kept on any thread; later calls of it do nothing.
public final class Future<Output, Failure: Error>: Publisher {
  public typealias Promise = (Result<Output, Failure>) -> Void

  private struct State {
    var result: Result<Output, Failure>?
    var conduits: [Conduit] = []
  }

  private let state = Guarded(State())

  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill(fulfil)
  }

  private func fulfil(_ result: Result<Output, Failure>) {
    let conduits = state.withLock { state -> [Conduit] in
      guard state.result == nil else { return [] }
      state.result = result
      defer { state.conduits = [] }
      return state.conduits
    }
    for conduit in conduits { conduit.tell(result) }
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let conduit = Conduit(self, subscriber)
    subscriber.receive(subscription: conduit)
    let result = state.withLock { state in
      if state.result == nil { state.conduits.append(conduit) }
      return state.result
    }
    if let result { conduit.tell(result) }
  }

  private func remove(_ conduit: Conduit) {
    state.withLock { state in state.conduits.removeAll { $0 === conduit } }
  }

  private final class Conduit: Subscription, CustomStringConvertible {
    private struct State {
      var future: Future?
      var downstream: AnySubscriber<Output, Failure>?
      var result: Result<Output, Failure>?
      var isDemanded = false
    }

    private let state: Guarded<State>

    init<S: Subscriber>(_ future: Future, _ subscriber: S) where S.Input == Output, S.Failure == Failure {
      state = Guarded(State(future: future, downstream: AnySubscriber(subscriber)))
    }

    var description: String { "Future" }

    /// A failure waits for no demand.
    func tell(_ result: Result<Output, Failure>) {
      let (isReady, freed) = state.withLock { state -> (Bool, Future?) in
        guard state.result == nil, state.downstream != nil else { return (false, nil) }
        state.result = result
        defer { state.future = nil }
        if case .failure = result { return (true, state.future) }
        return (state.isDemanded, state.future)
      }
      withExtendedLifetime(freed) {}
      if isReady { finish() }
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > 0 else { preconditionFailure("A subscriber asked for no value at all.") }
      let isReady = state.withLock { state -> Bool in
        defer { state.isDemanded = true }
        return !state.isDemanded && state.result != nil
      }
      if isReady { finish() }
    }

    private func finish() {
      let (downstream, result) = state.withLock { ($0.downstream, $0.result) }
      switch result {
      case .success(let value):
        _ = downstream?.receive(value)
        state.exchange(State()).downstream?.receive(completion: .finished)
      case .failure(let error):
        state.exchange(State()).downstream?.receive(completion: .failure(error))
      case nil: break
      }
    }

    func cancel() {
      let before = state.exchange(State())
      before.future?.remove(self)
    }
  }
}

// @unchecked Sendable: all state is behind the lock.
extension Future: @unchecked Sendable where Output: Sendable {}
