/// What both subjects are: their subscribers, the order of sending, the end.
///
/// All subscribers see the same order, whichever threads send: it is decided under one lock, and told outside it.
// @unchecked Sendable: all state is behind the lock, or behind the outlets'.
final class SubjectHub<Output, Failure: Error>: @unchecked Sendable {
  private struct State {
    /// What a new subscriber gets first; always nil in a subject that keeps nothing.
    var latest: Output?
    var conduits: [SubjectConduit<Output, Failure>] = []
    var completion: Subscribers.Completion<Failure>?
    var upstreams: [any Subscription] = []
    /// Somebody has asked for a value.
    var isDemanded = false
  }

  let name: String
  private let keepsLatest: Bool
  private let state: Guarded<State>

  /// A hub that keeps nothing, or one that keeps the latest value.
  init(_ name: String, latest: Output? = nil) {
    self.name = name
    keepsLatest = latest != nil
    state = Guarded(State(latest: latest))
  }

  deinit {
    for upstream in state.exchange(State()).upstreams { upstream.cancel() }
  }

  /// Of a hub that keeps the latest value.
  var value: Output {
    guard let latest = state.withLock({ $0.latest }) else { preconditionFailure("This subject keeps no value.") }
    return latest
  }
  var hasSubscribers: Bool { state.withLock { !$0.conduits.isEmpty } }

  func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    let conduit = SubjectConduit(self, subscriber)
    let completion = state.withLock { state -> Subscribers.Completion<Failure>? in
      if let completion = state.completion { return completion }
      // Told first, whatever other threads send meanwhile.
      conduit.outlet.put(.subscription(conduit))
      conduit.owesLatest = keepsLatest
      state.conduits.append(conduit)
      return nil
    }
    if let completion {
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: completion)
    } else {
      conduit.outlet.tell(conduit.request)
    }
  }

  func send(_ value: Output) {
    let (conduits, _) = state.withLock { state -> ([SubjectConduit<Output, Failure>], Output?) in
      guard state.completion == nil else { return ([], nil) }
      let before = state.latest
      if keepsLatest { state.latest = value }
      for conduit in state.conduits {
        if conduit.demand > 0 {
          conduit.demand -= 1
          conduit.outlet.put(.value(value))
        } else {
          conduit.owesLatest = keepsLatest
        }
      }
      return (state.conduits, before)
    }
    for conduit in conduits { conduit.outlet.tell(conduit.request) }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let (conduits, upstreams) = state.withLock {
      state -> ([SubjectConduit<Output, Failure>], [any Subscription]) in
      guard state.completion == nil else { return ([], []) }
      state.completion = completion
      for conduit in state.conduits {
        conduit.isOver = true
        conduit.outlet.put(.completion(completion))
      }
      defer {
        state.conduits = []
        state.upstreams = []
      }
      return (state.conduits, state.upstreams)
    }
    // Nobody is left to send to.
    for upstream in upstreams { upstream.cancel() }
    for conduit in conduits { conduit.outlet.tell(conduit.request) }
  }

  func send(subscription: any Subscription) {
    let (isOpen, asks) = state.withLock { state -> (Bool, Bool) in
      guard state.completion == nil else { return (false, false) }
      state.upstreams.append(subscription)
      return (true, keepsLatest || state.isDemanded)
    }
    prune()
    if !isOpen { subscription.cancel() }
    if asks { subscription.request(.unlimited) }
  }

  /// Lets go of upstreams that have ended.
  private func prune() {
    let freed = state.withLock { state -> [any Subscription] in
      let before = state.upstreams
      state.upstreams.removeAll { ($0 as? any EndingSubscription)?.isOver ?? false }
      return before
    }
    withExtendedLifetime(freed) {}
  }

  fileprivate func request(_ demand: Subscribers.Demand, by conduit: SubjectConduit<Output, Failure>) {
    guard demand > 0 else { preconditionFailure("A subscriber asked for no value at all.") }
    let upstreams = state.withLock { state -> [any Subscription] in
      guard !conduit.isOver else { return [] }
      conduit.demand += demand
      if conduit.owesLatest, let latest = state.latest {
        conduit.owesLatest = false
        conduit.demand -= 1
        conduit.outlet.put(.value(latest))
      }
      guard !state.isDemanded else { return [] }
      state.isDemanded = true
      // A hub with a value has asked already.
      return keepsLatest ? [] : state.upstreams
    }
    conduit.outlet.tell(conduit.request)
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  fileprivate func remove(_ conduit: SubjectConduit<Output, Failure>) {
    state.withLock { state in
      conduit.isOver = true
      if let index = state.conduits.firstIndex(where: { $0 === conduit }) { state.conduits.remove(at: index) }
    }
    conduit.outlet.close()
  }
}

/// One subscriber of a subject.
private final class SubjectConduit<Output, Failure: Error>: Subscription, CustomStringConvertible {
  let outlet: Outlet<Output, Failure>
  private let hub: SubjectHub<Output, Failure>
  // These belong to the hub's lock.
  var demand = Subscribers.Demand.none
  var owesLatest = false
  var isOver = false

  init<S: Subscriber>(_ hub: SubjectHub<Output, Failure>, _ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    self.hub = hub
    outlet = Outlet(subscriber)
  }

  var description: String { hub.name }

  func request(_ demand: Subscribers.Demand) { hub.request(demand, by: self) }
  func cancel() { hub.remove(self) }
}
