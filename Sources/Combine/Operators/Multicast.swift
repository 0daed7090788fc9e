extension Publishers {
  /// One subscription upstream for all subscribers, through a subject; begins with `connect`.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let createSubject: () -> SubjectType
    private let made = Guarded<SubjectType?>(nil)

    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    private var subject: SubjectType {
      if let made = made.withLock({ $0 }) { return made }
      // Made unlocked, since it is the client's code; of two the first counts.
      let new = createSubject()
      return made.withLock { made in
        if let made { return made }
        made = new
        return new
      }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      subject.subscribe(subscriber)
    }

    public func connect() -> any Cancellable {
      upstream.subscribe(subject)
    }
  }

  /// Connects with its first subscriber and disconnects with the last one's cancelling.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    private struct State {
      var count = 0
      var connection: (any Cancellable)?
    }

    public let upstream: Upstream
    private let state = Guarded(State())

    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let isFirst = state.withLock { state -> Bool in
        state.count += 1
        return state.count == 1
      }
      upstream.subscribe(Member(self, subscriber))
      guard isFirst else { return }
      let connection = upstream.connect()
      let isWanted = state.withLock { state -> Bool in
        guard state.count > 0, state.connection == nil else { return false }
        state.connection = connection
        return true
      }
      // All have cancelled meanwhile.
      if !isWanted { connection.cancel() }
    }

    private func leave() {
      let connection = state.withLock { state -> (any Cancellable)? in
        state.count -= 1
        guard state.count == 0 else { return nil }
        defer { state.connection = nil }
        return state.connection
      }
      connection?.cancel()
    }

    /// A subscriber that is counted until it cancels; one that has got the end still counts, lest a later one begins
    /// everything anew.
    private final class Member<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
      private struct State {
        var owner: Autoconnect?
        var upstream: (any Subscription)?
      }

      private let downstream: Downstream
      private let state: Guarded<State>

      init(_ owner: Autoconnect, _ downstream: Downstream) {
        self.downstream = downstream
        state = Guarded(State(owner: owner))
      }

      var description: String { "Autoconnect" }

      func receive(subscription: any Subscription) {
        state.withLock { $0.upstream = subscription }
        downstream.receive(subscription: self)
      }

      func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }

      func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        _ = state.exchange(State())
        downstream.receive(completion: completion)
      }

      func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.upstream }?.request(demand)
      }

      func cancel() {
        let before = state.exchange(State())
        before.upstream?.cancel()
        before.owner?.leave()
      }
    }
  }

  /// One subscription upstream for all subscribers, for as long as there is one.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    private let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = upstream.multicast(subject: PassthroughSubject()).autoconnect()
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      shared.subscribe(subscriber)
    }

    public static func == (left: Share, right: Share) -> Bool { left === right }
  }

  /// A publisher that can't fail, begun by `connect`.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    private let multicast: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    public init(upstream: Upstream) {
      multicast = upstream.multicast(subject: PassthroughSubject())
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      multicast.subscribe(subscriber)
    }

    public func connect() -> any Cancellable { multicast.connect() }
  }
}

extension Publisher {
  /// One subscription for all subscribers, through a subject that is made at first need.
  public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// One subscription for all subscribers, through a subject.
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    multicast { subject }
  }

  /// One subscription for all subscribers: it begins with the first, ends with the last, and later ones get what comes
  /// from then on.
  public func share() -> Publishers.Share<Self> {
    Publishers.Share(upstream: self)
  }
}

extension Publisher where Failure == Never {
  /// Waits for `connect`.
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension ConnectablePublisher {
  /// Connects with the first subscriber and disconnects with the last.
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}
