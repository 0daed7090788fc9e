/// What delivers values over time to subscribers that ask for them.
///
/// Each subscriber first receives a subscription, then as many values as it demanded, then at most one completion.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  /// `Never` where it can't fail.
  associatedtype Failure: Error

  /// Attaches a subscriber; call `subscribe(_:)` instead.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Attaches a subscriber.
  public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }

  /// Lets a subject send on what this publisher sends, until the returned object is cancelled or forgotten.
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

/// The home of the publishers that operators make.
public enum Publishers {}
