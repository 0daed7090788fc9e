/// Sends values to whoever wants one just then, and keeps none. Any thread.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let hub = SubjectHub<Output, Failure>("PassthroughSubject")

  public init() {}

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber)
  }

  /// Subscribers without a demand miss the value.
  public func send(_ input: Output) { hub.send(input) }
  public func send(completion: Subscribers.Completion<Failure>) { hub.send(completion: completion) }
  /// Asked for everything once a subscriber has asked for anything.
  public func send(subscription: any Subscription) { hub.send(subscription: subscription) }
}

// @unchecked Sendable: the hub guards all state.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
