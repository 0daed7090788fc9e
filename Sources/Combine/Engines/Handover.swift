/// The engine of operators that hand values over to a scheduler: each value and the end are told there, in their order
/// and one at a time, also when the scheduler's queue runs several closures at once.
final class Handover<Input, Failure: Error>: Subscriber, Subscription, CustomStringConvertible {
  private struct State {
    /// Gives downstream its subscription, once.
    var begin: ((any Subscription) -> Void)?
    var upstream: (any Subscription)?
  }

  let description: String
  private let state: Guarded<State>
  private let outlet: Outlet<Input, Failure>
  private let hop: (@escaping () -> Void) -> Void
  /// Called with what comes, before it is handed over.
  private let observe: () -> Void
  private let onStart: (Handover) -> Void

  init<S: Subscriber>(
    _ name: String, _ downstream: S, onStart: @escaping (Handover) -> Void = { _ in },
    observe: @escaping () -> Void = {}, hop: @escaping (@escaping () -> Void) -> Void
  ) where S.Input == Input, S.Failure == Failure {
    description = name
    outlet = Outlet(downstream)
    state = Guarded(State(begin: { downstream.receive(subscription: $0) }))
    self.onStart = onStart
    self.observe = observe
    self.hop = hop
  }

  func receive(subscription: any Subscription) {
    let begin = state.withLock { state -> ((any Subscription) -> Void)? in
      guard let begin = state.begin else { return nil }
      state = State(upstream: subscription)
      return begin
    }
    guard let begin else {
      subscription.cancel()
      return
    }
    onStart(self)
    // Not through the outlet: values that the scheduler is about to tell must not be left to this thread.
    begin(self)
  }

  /// Upstream has not ended yet, and nobody has cancelled.
  var isOpen: Bool { state.withLock { $0.upstream != nil } }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard state.withLock({ $0.upstream != nil }) else { return .none }
    observe()
    outlet.put(.value(input), isDue: false)
    hop { self.outlet.release(self.request) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let upstream = state.withLock { state in
      defer { state = State() }
      return state.upstream
    }
    guard upstream != nil else { return }
    observe()
    outlet.put(.completion(completion), isDue: false)
    hop { self.outlet.release(self.request) }
  }

  /// Ends before upstream does, behind what is on its way. On the scheduler.
  func finish(_ completion: Subscribers.Completion<Failure>) {
    let upstream = state.withLock { state in
      defer { state = State() }
      return state.upstream
    }
    guard let upstream else { return }
    upstream.cancel()
    outlet.put(.completion(completion), isDue: false)
    outlet.release(request)
  }

  func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.upstream }?.request(demand)
  }

  func cancel() {
    let before = state.exchange(State())
    outlet.close()
    before.upstream?.cancel()
  }
}
