extension Publishers {
  /// All but the first values.
  public struct Drop<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let count: Int

    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var left = count
      upstream.subscribe(
        Relay<Upstream.Output, Upstream.Failure, S>("Drop", subscriber, eager: .max(count)) {
          guard left > 0 else { return .emit($0) }
          left -= 1
          return .drop
        })
    }
  }

  /// The values from the first on that a predicate does not take.
  public struct DropWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var isPassing = false
      upstream.subscribe(
        Relay<Upstream.Output, Upstream.Failure, S>(
          "DropWhile", subscriber,
          step: { [predicate] in
            if !isPassing { isPassing = !predicate($0) }
            return isPassing ? .emit($0) : .skip
          }))
    }
  }

  /// The values from the first on that a predicate does not take, unless it throws.
  public struct TryDropWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      var isPassing = false
      upstream.subscribe(
        Relay<Upstream.Output, Upstream.Failure, S>(
          "TryDropWhile", subscriber,
          trying: { [predicate] in
            if !isPassing { isPassing = !(try predicate($0)) }
            return isPassing ? .emit($0) : .skip
          }))
    }
  }

  /// The values before the first that a predicate does not take.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
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
        Relay<Upstream.Output, Upstream.Failure, S>(
          "PrefixWhile", subscriber, step: { [predicate] in predicate($0) ? .emit($0) : .finish }))
    }
  }

  /// The values before the first that a predicate does not take, unless it throws.
  public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
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
        Relay<Upstream.Output, Upstream.Failure, S>(
          "TryPrefixWhile", subscriber, trying: { [predicate] in try predicate($0) ? .emit($0) : .finish }))
    }
  }

  /// The values whose numbers are in a range.
  public struct Output<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let range: CountableRange<Int>

    public init(upstream: Upstream, range: CountableRange<Int>) {
      self.upstream = upstream
      self.range = range
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      guard !range.isEmpty else {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .finished)
        return
      }
      var number = 0
      upstream.subscribe(
        Relay<Upstream.Output, Upstream.Failure, S>("Output", subscriber) { [range] in
          defer { number += 1 }
          if number < range.lowerBound { return .skip }
          return number + 1 < range.upperBound ? .emit($0) : .last($0)
        })
    }
  }
}

extension Publisher {
  /// Leaves out the first values.
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    guard count >= 0 else { preconditionFailure("dropFirst(_:) can't leave out \(count) values.") }
    return Publishers.Drop(upstream: self, count: count)
  }

  /// Leaves out the values before the first that the predicate does not take.
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }

  /// Leaves out the values before the first that the predicate does not take; an error that is thrown is the failure.
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }

  /// Ends at the first value that the predicate does not take.
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  /// Ends at the first value that the predicate does not take; an error that is thrown is the failure.
  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self> {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }

  /// The first values, then the end.
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    guard maxLength >= 0 else { preconditionFailure("prefix(_:) can't take \(maxLength) values.") }
    return output(in: 0..<maxLength)
  }

  /// The value of a number, then the end.
  public func output(at index: Int) -> Publishers.Output<Self> {
    guard index >= 0, index < .max else { preconditionFailure("There is no value of the number \(index).") }
    return output(in: index..<index + 1)
  }

  /// The values whose numbers are in a range, then the end.
  public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
    let range = range.relative(to: 0..<Int.max)
    guard range.lowerBound >= 0 else { preconditionFailure("There are no values of numbers below zero.") }
    return Publishers.Output(upstream: self, range: range)
  }
}
