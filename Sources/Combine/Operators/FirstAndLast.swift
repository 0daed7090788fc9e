extension Publishers {
  /// The first value, then the end.
  public struct First<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>("First", subscriber, step: { .done($0) }, result: { nil }))
    }
  }

  /// The first value that a predicate takes, then the end.
  public struct FirstWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "FirstWhere", subscriber, step: { [predicate] in predicate($0) ? .done($0) : .more }, result: { nil }))
    }
  }

  /// The first value that a predicate takes, unless it throws before.
  public struct TryFirstWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "TryFirstWhere", subscriber, trying: { [predicate] in try predicate($0) ? .done($0) : .more }, result: { nil }
        ))
    }
  }

  /// The last value.
  public struct Last<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var last: Output?
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "Last", subscriber,
          step: {
            last = $0
            return .more
          }, result: { last }))
    }
  }

  /// The last value that a predicate takes.
  public struct LastWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var last: Output?
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "LastWhere", subscriber,
          step: { [predicate] in
            if predicate($0) { last = $0 }
            return .more
          }, result: { last }))
    }
  }

  /// The last value that a predicate takes, unless it throws.
  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      var last: Output?
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "TryLastWhere", subscriber,
          trying: { [predicate] in
            if try predicate($0) { last = $0 }
            return .more
          }, result: { last }))
    }
  }
}

extension Publisher {
  /// The first value, then the end.
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }

  /// The first value that the predicate takes, then the end.
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }

  /// The first value that the predicate takes, then the end; an error that is thrown is the failure.
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }

  /// The last value, when the end has come.
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
  }

  /// The last value that the predicate takes, when the end has come.
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }

  /// The last value that the predicate takes, when the end has come; an error that is thrown is the failure.
  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}
