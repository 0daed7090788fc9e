extension Publishers {
  /// All values joined into one result.
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let initial: Output
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    public init(upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var result = initial
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "Reduce", subscriber,
          step: { [nextPartialResult] in
            result = nextPartialResult(result, $0)
            return .more
          }, result: { result }))
    }
  }

  /// All values joined into one result, unless the closure throws.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    public let upstream: Upstream
    public let initial: Output
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      var result = initial
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "TryReduce", subscriber,
          trying: { [nextPartialResult] in
            result = try nextPartialResult(result, $0)
            return .more
          }, result: { result }))
    }
  }

  /// All values in one array.
  public struct Collect<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var all: [Upstream.Output] = []
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "Collect", subscriber,
          step: {
            all.append($0)
            return .more
          }, result: { all }))
    }
  }

  /// How many values there were.
  public struct Count<Upstream: Publisher>: Publisher {
    public typealias Output = Int
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var count = 0
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "Count", subscriber,
          step: { _ in
            count += 1
            return .more
          }, result: { count }))
    }
  }

  /// The greatest value.
  public struct Comparison<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var best: Output?
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "Comparison", subscriber,
          step: { [areInIncreasingOrder] value in
            if let best, !areInIncreasingOrder(best, value) { return .more }
            best = value
            return .more
          }, result: { best }))
    }
  }

  /// The greatest value, unless the closure throws.
  public struct TryComparison<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      var best: Output?
      upstream.subscribe(
        Fold<Upstream.Output, Upstream.Failure, S>(
          "TryComparison", subscriber,
          trying: { [areInIncreasingOrder] value in
            if let best, !(try areInIncreasingOrder(best, value)) { return .more }
            best = value
            return .more
          }, result: { best }))
    }
  }
}

extension Publisher {
  /// Joins all values into one result.
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Joins all values into one result; an error that is thrown is the failure.
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// All values in one array, when the end has come.
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }

  /// How many values there were, when the end has come.
  public func count() -> Publishers.Count<Self> {
    Publishers.Count(upstream: self)
  }

  /// The least value.
  public func min() -> Publishers.Comparison<Self> where Output: Comparable {
    min(by: <)
  }

  /// The greatest value; of several the first.
  public func max() -> Publishers.Comparison<Self> where Output: Comparable {
    max(by: <)
  }

  /// The least value by an order.
  public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
  }

  /// The greatest value by an order.
  public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  /// The least value by an order; an error that is thrown is the failure.
  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
  }

  /// The greatest value by an order; an error that is thrown is the failure.
  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}
