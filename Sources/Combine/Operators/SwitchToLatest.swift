extension Publishers {
  /// The values of the latest publisher that came.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    public typealias Output = P.Output
    public typealias Failure = P.Failure

    public let upstream: Upstream

    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Outer(Succession("SwitchToLatest", subscriber)))
    }

    private final class Outer: Subscriber {
      private let succession: Succession<P.Output, P.Failure>

      init(_ succession: Succession<P.Output, P.Failure>) {
        self.succession = succession
      }

      func receive(subscription: any Subscription) {
        if succession.begin(outer: subscription) { subscription.request(.unlimited) }
      }

      func receive(_ input: P) -> Subscribers.Demand {
        succession.follow(input) { [succession] completion in
          if case .failure = completion { succession.finish(completion) } else { succession.finishWhenSealed() }
        }
        return .none
      }

      func receive(completion: Subscribers.Completion<P.Failure>) {
        if case .failure = completion { succession.finish(completion) } else { succession.seal() }
      }
    }
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Sends what the latest publisher sends that has come.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Sends what the latest publisher sends that has come, and fails when that fails.
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Output, Publishers.SetFailureType<Self, Output.Failure>
    >
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
  /// Sends what the latest publisher sends that has come.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Sends what the latest publisher sends that has come, which can't fail itself.
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    Publishers.SwitchToLatest(upstream: map { $0.setFailureType(to: Failure.self) })
  }
}
