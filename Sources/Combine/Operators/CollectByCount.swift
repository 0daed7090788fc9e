extension Publishers {
  /// Arrays of so many values; the last one may have fewer.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let count: Int

    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Inner(subscriber, count: count))
    }

    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible
    where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
      private struct State {
        var downstream: Downstream?
        var upstream: (any Subscription)?
        var values: [Upstream.Output] = []
      }

      private let count: Int
      private let state: Guarded<State>

      init(_ downstream: Downstream, count: Int) {
        self.count = count
        state = Guarded(State(downstream: downstream))
      }

      var description: String { "CollectByCount" }

      func receive(subscription: any Subscription) {
        let downstream = state.withLock { state -> Downstream? in
          guard let downstream = state.downstream, state.upstream == nil else { return nil }
          state.upstream = subscription
          return downstream
        }
        if let downstream { downstream.receive(subscription: self) } else { subscription.cancel() }
      }

      func receive(_ input: Upstream.Output) -> Subscribers.Demand {
        let full = state.withLock { state -> (Downstream, [Upstream.Output])? in
          guard state.upstream != nil, let downstream = state.downstream else { return nil }
          state.values.append(input)
          guard state.values.count >= count else { return nil }
          let values = state.values
          state.values = []
          return (downstream, values)
        }
        guard let (downstream, values) = full else { return .none }
        return downstream.receive(values) * count
      }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        let (upstream, downstream, values) = state.withLock { state in
          defer {
            state.upstream = nil
            state.values = []
          }
          return (state.upstream, state.downstream, state.values)
        }
        guard upstream != nil else { return }
        if case .finished = completion, !values.isEmpty { _ = downstream?.receive(values) }
        state.exchange(State()).downstream?.receive(completion: completion)
      }

      func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.upstream }?.request(demand * count)
      }

      func cancel() {
        state.exchange(State()).upstream?.cancel()
      }
    }
  }
}

extension Publisher {
  /// Arrays of so many values; the last one may have fewer.
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    guard count > 0 else { preconditionFailure("collect(_:) can't make arrays of \(count) values.") }
    return Publishers.CollectByCount(upstream: self, count: count)
  }
}
