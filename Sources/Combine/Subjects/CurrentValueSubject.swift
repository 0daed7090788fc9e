/// Keeps its latest value and sends it first to each new subscriber. Any thread.
///
/// A subscriber without a demand gets the latest value, and only that, when it asks again.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private let hub: SubjectHub<Output, Failure>

  public init(_ value: Output) {
    hub = SubjectHub("CurrentValueSubject", latest: value)
  }

  /// Setting sends. What is set after the end is lost.
  public var value: Output {
    get { hub.value }
    set { hub.send(newValue) }
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber)
  }

  public func send(_ input: Output) { hub.send(input) }
  public func send(completion: Subscribers.Completion<Failure>) { hub.send(completion: completion) }
  /// Asked for everything at once.
  public func send(subscription: any Subscription) { hub.send(subscription: subscription) }
}

// @unchecked Sendable: the hub guards all state.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
