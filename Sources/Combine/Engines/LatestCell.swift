/// Brings what an observation reports to one downstream: one value for one demand, in order.
///
/// What comes without a demand is dropped, or the latest of it kept for the next demand.
// @unchecked Sendable: all state is behind locks; the values are the client's, as everywhere in Combine.
final class LatestCell<Output>: Subscription, CustomStringConvertible, @unchecked Sendable {
  private struct State {
    var demand = Subscribers.Demand.none
    var kept: Output?
    var stop: (() -> Void)?
    var isOver = false
  }

  let description: String
  private let keepsLatest: Bool
  private let state = Guarded(State())
  private let outlet: Outlet<Output, Never>

  init<S: Subscriber>(_ name: String, _ downstream: S, keepsLatest: Bool) where S.Input == Output, S.Failure == Never {
    description = name
    self.keepsLatest = keepsLatest
    outlet = Outlet(downstream)
  }

  /// Gives downstream its subscription; what was put before waits, or is dropped.
  /// - Parameter stop: ends the observation, which has started; called once.
  func begin(stop: @escaping () -> Void) {
    state.withLock { $0.stop = stop }
    outlet.put(.subscription(self))
    outlet.tell(request)
  }

  func put(_ value: Output) {
    let lost = state.withLock { state -> Output? in
      guard !state.isOver else { return nil }
      guard state.demand > 0 else {
        let lost = state.kept
        if keepsLatest { state.kept = value }
        return lost
      }
      state.demand -= 1
      outlet.put(.value(value))
      return nil
    }
    withExtendedLifetime(lost) {}
    outlet.tell(request)
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { preconditionFailure("A subscriber asked for no value at all.") }
    state.withLock { state in
      guard !state.isOver else { return }
      state.demand += demand
      guard let kept = state.kept else { return }
      state.kept = nil
      state.demand -= 1
      outlet.put(.value(kept))
    }
    outlet.tell(request)
  }

  func cancel() {
    let before = state.exchange(State(isOver: true))
    outlet.close()
    before.stop?()
  }
}
