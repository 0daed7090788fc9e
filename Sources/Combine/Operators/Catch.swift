extension Publishers {
  /// Goes on with another publisher when the first fails.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure

    public let upstream: Upstream
    public let handler: (Upstream.Failure) -> NewPublisher

    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let succession = Succession("Catch", subscriber)
      succession.begin()
      succession.follow(upstream) { [handler] completion in
        switch completion {
        case .finished: succession.finish(.finished)
        case .failure(let error): succession.follow(handler(error), ended: succession.finish)
        }
      }
    }
  }

  /// Goes on with another publisher when the first fails, unless the handler throws.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let handler: (Upstream.Failure) throws -> NewPublisher

    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      let succession = Succession<Output, any Error>("TryCatch", subscriber)
      succession.begin()
      succession.follow(upstream) { [handler] completion in
        guard case .failure(let error) = completion else {
          succession.finish(.finished)
          return
        }
        do {
          let next = try handler(error)
          succession.follow(next) { succession.finish($0.mapError { $0 }) }
        } catch {
          succession.finish(.failure(error))
        }
      }
    }
  }

  /// Subscribes again when it fails, so many times or for ever.
  public struct Retry<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// Nil is for ever.
    public let retries: Int?

    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let succession = Succession("Retry", subscriber)
      succession.begin()
      attempt(succession, retries)
    }

    private func attempt(_ succession: Succession<Output, Failure>, _ left: Int?) {
      succession.follow(upstream) { completion in
        if case .failure = completion, left != 0 {
          attempt(succession, left.map { $0 - 1 })
        } else {
          succession.finish(completion)
        }
      }
    }
  }

  /// Puts a value, and the end, in the place of a failure.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never

    public let upstream: Upstream
    public let output: Upstream.Output

    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      let succession = Succession<Output, Never>("ReplaceError", subscriber)
      succession.begin()
      succession.follow(upstream) { [output] completion in
        switch completion {
        case .finished: succession.finish(.finished)
        case .failure: succession.follow(Just(output), ended: succession.finish)
        }
      }
    }
  }

  /// Puts a value in the place of none at all.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let output: Upstream.Output

    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let succession = Succession("ReplaceEmpty", subscriber)
      let isEmpty = Flag(true)
      succession.begin()
      succession.follow(
        upstream.map { value in
          isEmpty.set(false)
          return value
        }
      ) { [output] completion in
        if case .finished = completion, isEmpty.isSet {
          succession.follow(Just(output).setFailureType(to: Failure.self), ended: succession.finish)
        } else {
          succession.finish(completion)
        }
      }
    }
  }
}

extension Publisher {
  /// Goes on with another publisher when this one fails.
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
  where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Goes on with another publisher when this one fails; an error that is thrown is the failure.
  public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
  where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }

  /// Subscribes again when it fails, at most so many times.
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    guard retries >= 0 else { preconditionFailure("retry(_:) can't try \(retries) times.") }
    return Publishers.Retry(upstream: self, retries: retries)
  }

  /// Puts a value, and the end, in the place of a failure.
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }

  /// Puts a value in the place of none at all.
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }

  /// Ends the program when this publisher fails, which is said to be impossible.
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.MapError<Self, Never> {
    Publishers.MapError(upstream: self) { error in
      preconditionFailure("\(prefix.isEmpty ? "" : prefix + ": ")A publisher failed: \(error)", file: file, line: line)
    }
  }
}
