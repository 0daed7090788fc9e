/// A publisher that code outside feeds.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends to all subscribers that want a value.
  func send(_ value: Output)
  /// Ends it for all subscribers, those to come included.
  func send(completion: Subscribers.Completion<Failure>)
  /// Takes a subscription of an upstream that this subject will send on.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  public func send() { send(()) }
}

/// A subscription that knows when it is of no use any more.
protocol EndingSubscription: Subscription {
  var isOver: Bool { get }
}

/// Feeds a subject from a publisher.
final class SubjectSubscriber<S: Subject>: Subscriber, EndingSubscription, CustomStringConvertible {
  private struct State {
    var subject: S?
    var upstream: (any Subscription)?
  }

  private let state: Guarded<State>

  init(_ subject: S) {
    state = Guarded(State(subject: subject))
  }

  var description: String { "Subject" }
  var isOver: Bool { state.withLock { $0.subject == nil } }

  func receive(subscription: any Subscription) {
    let subject = state.withLock { state -> S? in
      guard let subject = state.subject, state.upstream == nil else { return nil }
      state.upstream = subscription
      return subject
    }
    // The subject asks, and cancels, through this.
    if let subject { subject.send(subscription: self) } else { subscription.cancel() }
  }

  func receive(_ input: S.Output) -> Subscribers.Demand {
    let subject = state.withLock { $0.upstream == nil ? nil : $0.subject }
    subject?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<S.Failure>) {
    let before = state.exchange(State())
    if before.upstream != nil { before.subject?.send(completion: completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.upstream }?.request(demand)
  }

  func cancel() {
    state.exchange(State()).upstream?.cancel()
  }
}
