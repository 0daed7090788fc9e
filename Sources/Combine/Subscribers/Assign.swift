extension Subscribers {
  /// Puts every value into a property of an object, which it keeps until the end or `cancel`.
  public final class Assign<Root, Input>: Subscriber, Cancellable, CustomStringConvertible {
    public typealias Failure = Never

    private enum Phase {
      case waiting
      case active(any Subscription)
      case over
    }

    private struct State {
      var phase = Phase.waiting
      var object: Root?
    }

    public let keyPath: ReferenceWritableKeyPath<Root, Input>
    private let state: Guarded<State>

    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      self.keyPath = keyPath
      state = Guarded(State(object: object))
    }

    /// Nil when it is over.
    public var object: Root? { state.withLock { $0.object } }
    public var description: String { "Assign \(Root.self)." }

    public func receive(subscription: any Subscription) {
      let isFirst = state.withLock { state -> Bool in
        guard case .waiting = state.phase else { return false }
        state.phase = .active(subscription)
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    public func receive(_ value: Input) -> Subscribers.Demand {
      let object = state.withLock { state -> Root? in
        guard case .active = state.phase else { return nil }
        return state.object
      }
      object?[keyPath: keyPath] = value
      return .none
    }

    public func receive(completion: Subscribers.Completion<Never>) {
      _ = state.exchange(State(phase: .over))
    }

    public func cancel() {
      if case .active(let subscription) = state.exchange(State(phase: .over)).phase { subscription.cancel() }
    }
  }
}

extension Publisher where Failure == Never {
  /// Puts every value into a property of an object, which is kept until the end or until what is returned is cancelled.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    let subscriber = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}
