/// The engine of operators that let several publishers flow into one: each brings one value at a time, which waits for
/// a demand, or all of its own when the demand is unlimited.
final class Confluence<Output, Failure: Error>: Subscription, CustomStringConvertible {
  private struct Source {
    var subscription: (any Subscription)?
    var isUnlimited = false
  }

  private struct State {
    var demand = Subscribers.Demand.none
    var waiting = Fifo<(UInt64, Output)>()
    var sources: [UInt64: Source] = [:]
    var last: UInt64 = 0
    /// What brings the publishers, when they come over time.
    var outer: (any Subscription)?
    var isSealed = false
    var isOver = false

    /// Nothing more can come.
    var isDry: Bool { isSealed && sources.isEmpty && waiting.isEmpty && !isOver }
  }

  let description: String
  private let state = Guarded(State())
  private let outlet: Outlet<Output, Failure>
  /// What is asked of the outer publisher when one of its publishers has finished.
  private let refill: Subscribers.Demand

  init<S: Subscriber>(_ name: String, _ downstream: S, refill: Subscribers.Demand = .none)
  where S.Input == Output, S.Failure == Failure {
    description = name
    outlet = Outlet(downstream)
    self.refill = refill
  }

  func begin() {
    outlet.put(.subscription(self))
    outlet.tell(request)
  }

  /// - Returns: false when it is over, or has one already; the subscription is cancelled then.
  func begin(outer: any Subscription) -> Bool {
    let isTaken = state.withLock { state -> Bool in
      guard !state.isOver, !state.isSealed, state.outer == nil else { return false }
      state.outer = outer
      return true
    }
    if isTaken { begin() } else { outer.cancel() }
    return isTaken
  }

  var isOpen: Bool { state.withLock { !$0.isOver } }

  func add<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    let number = state.withLock { state -> UInt64? in
      guard !state.isOver else { return nil }
      state.last += 1
      state.sources[state.last] = Source()
      return state.last
    }
    if let number { publisher.subscribe(Inlet(owner: self, number: number)) }
  }

  /// No publisher is added any more.
  func seal() {
    let outer = state.withLock { state in
      let outer = state.outer
      state.isSealed = true
      state.outer = nil
      return outer
    }
    finishIfDry()
    withExtendedLifetime(outer) {}
  }

  private func finishIfDry() {
    if state.withLock({ $0.isDry }) { finish(.finished) }
  }

  func finish(_ completion: Subscribers.Completion<Failure>) {
    guard let before = stop() else { return }
    outlet.put(.completion(completion))
    for (_, source) in before.sources { source.subscription?.cancel() }
    before.outer?.cancel()
    outlet.tell(request)
  }

  private func stop() -> State? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      let before = state
      state = State(isOver: true)
      return before
    }
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { preconditionFailure("A subscriber asked for no value at all.") }
    let asked = state.withLock { state -> [(any Subscription, Subscribers.Demand)] in
      guard !state.isOver else { return [] }
      state.demand += demand
      var asked: [(any Subscription, Subscribers.Demand)] = []
      while state.demand > 0, let (number, value) = state.waiting.popFirst() {
        state.demand -= 1
        outlet.put(.value(value))
        if state.demand != .unlimited, let subscription = state.sources[number]?.subscription {
          asked.append((subscription, .max(1)))
        }
      }
      if state.demand == .unlimited {
        for number in state.sources.keys.sorted() where state.sources[number]?.isUnlimited == false {
          guard let subscription = state.sources[number]?.subscription else { continue }
          state.sources[number]?.isUnlimited = true
          asked.append((subscription, .unlimited))
        }
      }
      return asked
    }
    outlet.tell(request)
    for (subscription, demand) in asked { subscription.request(demand) }
    finishIfDry()
  }

  func cancel() {
    let before = stop()
    outlet.close()
    for (_, source) in before?.sources ?? [:] { source.subscription?.cancel() }
    before?.outer?.cancel()
  }

  private final class Inlet: Subscriber {
    private let owner: Confluence
    private let number: UInt64

    init(owner: Confluence, number: UInt64) {
      self.owner = owner
      self.number = number
    }

    func receive(subscription: any Subscription) {
      let demand = owner.state.withLock { state -> Subscribers.Demand? in
        guard let source = state.sources[number], source.subscription == nil else { return nil }
        let isUnlimited = state.demand == .unlimited
        state.sources[number] = Source(subscription: subscription, isUnlimited: isUnlimited)
        return isUnlimited ? .unlimited : .max(1)
      }
      if let demand { subscription.request(demand) } else { subscription.cancel() }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      let demand = owner.state.withLock { state -> Subscribers.Demand in
        guard let source = state.sources[number] else { return .none }
        guard state.demand > 0 else {
          state.waiting.append((number, input))
          return .none
        }
        state.demand -= 1
        owner.outlet.put(.value(input))
        return source.isUnlimited ? .none : .max(1)
      }
      owner.outlet.tell(owner.request)
      return demand
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let (source, outer) = owner.state.withLock { state -> (Source?, (any Subscription)?) in
        (state.sources.removeValue(forKey: number), state.outer)
      }
      guard source != nil else { return }
      if case .failure = completion {
        owner.finish(completion)
        return
      }
      owner.finishIfDry()
      if owner.refill > 0 { outer?.request(owner.refill) }
    }
  }
}
