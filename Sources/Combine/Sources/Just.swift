/// One value, then the end.
public struct Just<Output>: Publisher {
  public typealias Failure = Never

  public let output: Output

  public init(_ output: Output) {
    self.output = output
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    IteratorSubscription<CollectionOfOne<Output>.Iterator, Never>.attach(
      "Just", subscriber, CollectionOfOne(output).makeIterator())
  }
}

extension Just: Equatable where Output: Equatable {}

extension Optional {
  /// The value if there is one, then the end.
  public var publisher: Publisher { Publisher(self) }

  public struct Publisher: Combine.Publisher {
    public typealias Output = Wrapped
    public typealias Failure = Never

    public let output: Wrapped?

    public init(_ output: Wrapped?) {
      self.output = output
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
      let values = output.map { [$0] } ?? []
      IteratorSubscription<Array<Wrapped>.Iterator, Never>.attach("Optional", subscriber, values.makeIterator())
    }
  }
}

extension Result {
  /// The value and the end, or the failure.
  public var publisher: Publisher { Publisher(self) }

  public struct Publisher: Combine.Publisher {
    public typealias Output = Success

    public let result: Result<Success, Failure>

    public init(_ output: Success) {
      result = .success(output)
    }

    public init(_ failure: Failure) {
      result = .failure(failure)
    }

    public init(_ result: Result<Success, Failure>) {
      self.result = result
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
      switch result {
      case .success(let value):
        IteratorSubscription<CollectionOfOne<Success>.Iterator, Failure>.attach(
          "Once", subscriber, CollectionOfOne(value).makeIterator())
      case .failure(let error):
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
      }
    }
  }
}
