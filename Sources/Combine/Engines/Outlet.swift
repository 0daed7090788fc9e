import MediaRuntime

/// One downstream that is told of events one at a time and in order, whoever brings them, with no lock held meanwhile.
///
/// One thread at a time tells, and what others bring meanwhile is told by it: nobody waits. What the downstream itself
/// brings while it is told is told at once, within that call, as a plain function call would be.
final class Outlet<Output, Failure: Error> {
  enum Event {
    case subscription(any Subscription)
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
  }

  private struct State {
    var downstream: AnySubscriber<Output, Failure>?
    var events = Fifo<Event>()
    /// How many of the events may be told by now.
    var due = 0
    /// The thread that is telling.
    var teller: UInt?
  }

  private let state: Guarded<State>

  init<S: Subscriber>(_ downstream: S) where S.Input == Output, S.Failure == Failure {
    state = Guarded(State(downstream: AnySubscriber(downstream)))
  }

  /// Adds an event for `tell`. May be called under the owner's lock, which then decides on the order.
  /// - Parameter isDue: false for an event that waits for `release`.
  func put(_ event: Event, isDue: Bool = true) {
    state.withLock { state in
      guard state.downstream != nil else { return }
      state.events.append(event)
      if isDue { state.due += 1 }
    }
  }

  /// Makes the next waiting event due, and tells.
  func release(_ more: (Subscribers.Demand) -> Void) {
    state.withLock { $0.due += 1 }
    tell(more)
  }

  /// Tells what is due, unless another thread is telling.
  /// - Parameter more: is given what the downstream asks for on receiving a value.
  func tell(_ more: (Subscribers.Demand) -> Void) {
    let me = CallingThread.id
    let (tells, isOutermost) = state.withLock { state -> (Bool, Bool) in
      guard state.teller == nil || state.teller == me else { return (false, false) }
      defer { state.teller = me }
      return (true, state.teller == nil)
    }
    guard tells else { return }
    while let (downstream, event) = next(isOutermost) {
      switch event {
      case .subscription(let subscription): downstream.receive(subscription: subscription)
      case .value(let value):
        let demand = downstream.receive(value)
        if demand > 0 { more(demand) }
      case .completion(let completion): downstream.receive(completion: completion)
      }
    }
  }

  private func next(_ isOutermost: Bool) -> (AnySubscriber<Output, Failure>, Event)? {
    state.withLock { state in
      guard state.due > 0, let downstream = state.downstream, let event = state.events.popFirst() else {
        if isOutermost { state.teller = nil }
        return nil
      }
      state.due -= 1
      // The caller lets go of it, unlocked, after the call.
      if case .completion = event { state.downstream = nil }
      return (downstream, event)
    }
  }

  /// Tells nothing more.
  func close() {
    let freed = state.withLock { state in
      let freed = (state.downstream, state.events)
      state.downstream = nil
      state.events = Fifo()
      state.due = 0
      return freed
    }
    withExtendedLifetime(freed) {}
  }
}
