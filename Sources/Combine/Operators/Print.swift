extension Publishers {
  /// Prints what passes.
  public struct Print<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let prefix: String
    public let upstream: Upstream
    public let stream: (any TextOutputStream)?

    public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let lines = Lines(prefix: prefix.isEmpty ? "" : prefix + ": ", stream: stream)
      upstream.subscribe(
        Watched(
          "Print", subscriber,
          Onlooker(
            subscription: { lines.write("receive subscription: (\($0))") },
            value: { lines.write("receive value: (\($0))") },
            answer: { lines.write("request \(Self.text($0)) (synchronous)") },
            completion: { completion in
              switch completion {
              case .finished: lines.write("receive finished")
              case .failure(let error): lines.write("receive error: (\(error))")
              }
            }, cancel: { lines.write("receive cancel") }, request: { lines.write("request \(Self.text($0))") })))
    }

    private static func text(_ demand: Subscribers.Demand) -> String {
      demand.max.map { "max: (\($0))" } ?? "unlimited"
    }
  }
}

/// Writes to a stream that several threads may write to; a stream is the client's code, so it is held while it writes
/// and never under a lock.
private final class Lines {
  private let prefix: String
  private let stream: Guarded<(any TextOutputStream)?>
  private let isGiven: Bool
  private let waiting = Guarded(Fifo<String>())

  init(prefix: String, stream: (any TextOutputStream)?) {
    self.prefix = prefix
    self.stream = Guarded(stream)
    isGiven = stream != nil
  }

  func write(_ text: String) {
    let line = prefix + text
    guard isGiven else {
      Swift.print(line)
      return
    }
    waiting.withLock { $0.append(line + "\n") }
    while var stream = stream.take() {
      // Of those who find it taken, the one who has it writes the lines.
      while let line = waiting.withLock({ $0.popFirst() }) { stream.write(line) }
      _ = self.stream.exchange(stream)
      if waiting.withLock({ $0.isEmpty }) { return }
    }
  }
}

extension Publisher {
  /// Prints what passes.
  /// - Parameter stream: where to; the standard output when there is none.
  public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}
