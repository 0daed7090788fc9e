/// What an onlooker is told of; everything passes unchanged.
struct Onlooker<Output, Failure: Error> {
  var subscription: ((any Subscription) -> Void)?
  var value: ((Output) -> Void)?
  /// The demand that a downstream returned on receiving a value.
  var answer: ((Subscribers.Demand) -> Void)?
  var completion: ((Subscribers.Completion<Failure>) -> Void)?
  var cancel: (() -> Void)?
  var request: ((Subscribers.Demand) -> Void)?
}

/// The engine of operators that only look on.
final class Watched<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private struct State {
    var downstream: Downstream?
    var onlooker: Onlooker<Downstream.Input, Downstream.Failure>?
    var upstream: (any Subscription)?
  }

  let description: String
  private let state: Guarded<State>

  init(_ name: String, _ downstream: Downstream, _ onlooker: Onlooker<Downstream.Input, Downstream.Failure>) {
    description = name
    state = Guarded(State(downstream: downstream, onlooker: onlooker))
  }

  func receive(subscription: any Subscription) {
    let before = state.withLock { state -> State in
      guard state.downstream != nil, state.upstream == nil else { return State() }
      state.upstream = subscription
      return state
    }
    guard let downstream = before.downstream else {
      subscription.cancel()
      return
    }
    before.onlooker?.subscription?(subscription)
    downstream.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let now = state.withLock { $0.upstream == nil ? State() : $0 }
    guard let downstream = now.downstream else { return .none }
    now.onlooker?.value?(input)
    let demand = downstream.receive(input)
    if demand > 0 { now.onlooker?.answer?(demand) }
    return demand
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let before = state.exchange(State())
    before.onlooker?.completion?(completion)
    before.downstream?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    let now = state.withLock { $0 }
    now.onlooker?.request?(demand)
    now.upstream?.request(demand)
  }

  func cancel() {
    let before = state.exchange(State())
    guard before.upstream != nil else { return }
    before.onlooker?.cancel?()
    before.upstream?.cancel()
  }
}

extension Publishers {
  /// Calls closures with what passes.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public var receiveSubscription: ((any Subscription) -> Void)?
    public var receiveOutput: ((Upstream.Output) -> Void)?
    public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?
    public var receiveCancel: (() -> Void)?
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    public init(
      upstream: Upstream, receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Upstream.Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)? = nil,
      receiveCancel: (() -> Void)? = nil, receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      // What a downstream asks for on receiving a value is a request too.
      let onlooker = Onlooker(
        subscription: receiveSubscription, value: receiveOutput, answer: receiveRequest,
        completion: receiveCompletion, cancel: receiveCancel, request: receiveRequest)
      upstream.subscribe(Watched("HandleEvents", subscriber, onlooker))
    }
  }
}

extension Publisher {
  /// Calls closures with what passes, and changes nothing.
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }
}
