extension Publishers {
  /// The values that come before another publisher's first one.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let other: Other

    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let succession = Succession("PrefixUntilOutput", subscriber)
      succession.begin()
      other.subscribe(Signal(succession.hold, onValue: { succession.finish(.finished) }, onEnd: { _ in }))
      succession.follow(upstream, ended: succession.finish)
    }
  }

  /// The values that come after another publisher's first one.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
  where Upstream.Failure == Other.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let other: Other

    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let succession = Succession("DropUntilOutput", subscriber)
      let isOpen = Flag(false)
      succession.begin()
      other.subscribe(
        Signal(
          succession.hold, onValue: { isOpen.set(true) },
          onEnd: { (completion: Subscribers.Completion<Failure>) in
            // Without a signal nothing can pass any more.
            if !isOpen.isSet { succession.finish(completion) }
          }))
      succession.follow(upstream.filter { _ in isOpen.isSet }, ended: succession.finish)
    }
  }
}

/// Waits for one value.
private final class Signal<Input, Failure: Error>: Subscriber {
  private let hold: (any Subscription) -> Bool
  private let onValue: () -> Void
  private let onEnd: (Subscribers.Completion<Failure>) -> Void
  private let upstream = Guarded<(any Subscription)?>(nil)

  init(
    _ hold: @escaping (any Subscription) -> Bool, onValue: @escaping () -> Void,
    onEnd: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.hold = hold
    self.onValue = onValue
    self.onEnd = onEnd
  }

  func receive(subscription: any Subscription) {
    guard hold(subscription) else { return }
    _ = upstream.exchange(subscription)
    subscription.request(.max(1))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard let upstream = upstream.take() else { return .none }
    upstream.cancel()
    onValue()
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.take() != nil { onEnd(completion) }
  }
}

extension Publisher {
  /// Ends when another publisher sends a value.
  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }

  /// Leaves values out until another publisher sends one.
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
  where P.Failure == Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}
