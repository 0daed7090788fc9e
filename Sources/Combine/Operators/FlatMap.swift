extension Publishers {
  /// The values of publishers made of each value, so many publishers at a time.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let maxPublishers: Subscribers.Demand
    public let transform: (Upstream.Output) -> NewPublisher

    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand, transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let refill: Subscribers.Demand = maxPublishers == .unlimited ? .none : .max(1)
      upstream.subscribe(
        Outer(Confluence("FlatMap", subscriber, refill: refill), maxPublishers: maxPublishers, transform))
    }

    private final class Outer: Subscriber {
      private let confluence: Confluence<NewPublisher.Output, Upstream.Failure>
      private let maxPublishers: Subscribers.Demand
      private let transform: (Upstream.Output) -> NewPublisher

      init(
        _ confluence: Confluence<NewPublisher.Output, Upstream.Failure>, maxPublishers: Subscribers.Demand,
        _ transform: @escaping (Upstream.Output) -> NewPublisher
      ) {
        self.confluence = confluence
        self.maxPublishers = maxPublishers
        self.transform = transform
      }

      func receive(subscription: any Subscription) {
        if confluence.begin(outer: subscription) { subscription.request(maxPublishers) }
      }

      func receive(_ input: Upstream.Output) -> Subscribers.Demand {
        if confluence.isOpen { confluence.add(transform(input)) }
        return .none
      }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        if case .failure = completion { confluence.finish(completion) } else { confluence.seal() }
      }
    }
  }
}

extension Publisher {
  /// Sends what the publishers send that are made of each value.
  /// - Parameter maxPublishers: at most so many at a time; the values behind them wait upstream.
  public func flatMap<T, P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, Failure == P.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Sends what the publishers send that are made of each value, and that can't fail themselves.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publisher where Failure == Never {
  /// Sends what the publishers send that are made of each value, and that alone can fail.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    Publishers.FlatMap(
      upstream: setFailureType(to: P.Failure.self), maxPublishers: maxPublishers, transform: transform)
  }

  /// Sends what the publishers send that are made of each value.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}
