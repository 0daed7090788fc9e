/// The values of a publisher that can't fail, for `for await`. One is asked for at a time.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  public typealias Element = P.Output

  private let publisher: P

  public init(_ publisher: P) {
    self.publisher = publisher
  }

  public func makeAsyncIterator() -> Iterator {
    let reader = AsyncReader<P.Output, Never>()
    publisher.subscribe(reader)
    return Iterator(lifetime: AsyncReader.Lifetime(reader))
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let lifetime: AsyncReader<P.Output, Never>.Lifetime

    public mutating func next() async -> P.Output? {
      try? await lifetime.reader.next()
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
      try? await lifetime.reader.next()
    }
  }
}

/// The values of a publisher, for `for try await`. One is asked for at a time.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  public typealias Element = P.Output
  public typealias Failure = any Error

  private let publisher: P

  public init(_ publisher: P) {
    self.publisher = publisher
  }

  public func makeAsyncIterator() -> Iterator {
    let reader = AsyncReader<P.Output, P.Failure>()
    publisher.subscribe(reader)
    return Iterator(lifetime: AsyncReader.Lifetime(reader))
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let lifetime: AsyncReader<P.Output, P.Failure>.Lifetime

    public mutating func next() async throws -> P.Output? {
      try await lifetime.reader.next()
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> P.Output? {
      try await lifetime.reader.next()
    }
  }
}

extension Publisher where Failure == Never {
  /// The values, for `for await`.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values, for `for try await`.
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

extension Future where Failure == Never {
  /// The value, when it is there.
  public final var value: Output {
    get async {
      for await value in values { return value }
      preconditionFailure("A future was waited for in a task that was cancelled before it was fulfilled.")
    }
  }
}

extension Future {
  /// The value, when it is there.
  public final var value: Output {
    get async throws {
      for try await value in values { return value }
      throw CancellationError()
    }
  }
}

/// Asks for one value for each call of `next`.
// @unchecked Sendable: all state is behind the lock; the values are the client's.
private final class AsyncReader<Output, Failure: Error>: Subscriber, @unchecked Sendable {
  typealias Input = Output

  /// Cancels when nobody iterates any more.
  final class Lifetime {
    let reader: AsyncReader

    init(_ reader: AsyncReader) {
      self.reader = reader
    }

    deinit {
      reader.cancel()
    }
  }

  /// What is carried to the task that waits.
  struct Parcel: @unchecked Sendable {
    // @unchecked Sendable: handed over, once.
    let value: Output?
  }

  private typealias Waiting = CheckedContinuation<Parcel, any Error>

  private struct State {
    var upstream: (any Subscription)?
    var waiting: [Waiting] = []
    /// Asked for before there was a subscription.
    var owed = 0
    var completion: Subscribers.Completion<Failure>?
    var isOver = false
  }

  private enum Turn {
    case ask((any Subscription)?)
    case end(Subscribers.Completion<Failure>?)
  }

  private let state = Guarded(State())

  func next() async throws -> Output? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: Waiting) in
        let turn = state.withLock { state -> Turn in
          guard !state.isOver else {
            defer { state.completion = nil }
            return .end(state.completion)
          }
          state.waiting.append(continuation)
          if state.upstream == nil { state.owed += 1 }
          return .ask(state.upstream)
        }
        switch turn {
        case .ask(let upstream): upstream?.request(.max(1))
        case .end(.failure(let error)?): continuation.resume(throwing: error)
        case .end: continuation.resume(returning: Parcel(value: nil))
        }
        // Cancelled before anybody waited.
        if Task.isCancelled { cancel() }
      }.value
    } onCancel: {
      cancel()
    }
  }

  func receive(subscription: any Subscription) {
    let owed = state.withLock { state -> Int? in
      guard !state.isOver, state.upstream == nil else { return nil }
      state.upstream = subscription
      defer { state.owed = 0 }
      return state.owed
    }
    guard let owed else {
      subscription.cancel()
      return
    }
    if owed > 0 { subscription.request(.max(owed)) }
  }

  func receive(_ input: Output) -> Subscribers.Demand {
    let waiting = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    waiting?.resume(returning: Parcel(value: input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let before = state.withLock { state -> State in
      let before = state
      guard !before.isOver else { return before }
      // Told to the next who asks, when nobody waits for it.
      state = State(completion: before.waiting.isEmpty ? completion : nil, isOver: true)
      return before
    }
    guard !before.isOver else { return }
    for (index, waiting) in before.waiting.enumerated() {
      if index == 0, case .failure(let error) = completion {
        waiting.resume(throwing: error)
      } else {
        waiting.resume(returning: Parcel(value: nil))
      }
    }
  }

  func cancel() {
    let before = state.exchange(State(isOver: true))
    for waiting in before.waiting { waiting.resume(returning: Parcel(value: nil)) }
    before.upstream?.cancel()
  }
}
