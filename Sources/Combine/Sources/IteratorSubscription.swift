/// Hands out the elements of an iterator by demand, then finishes. Any thread; one value at a time.
final class IteratorSubscription<Iterator: IteratorProtocol, Failure: Error>: Subscription, CustomStringConvertible {
  private struct State {
    var downstream: AnySubscriber<Iterator.Element, Failure>?
    var iterator: Iterator
    /// Read ahead, to know the end when the last element goes.
    var next: Iterator.Element?
    var demand = Subscribers.Demand.none
    var isTelling = false
  }

  let description: String
  private let state: Guarded<State>

  /// - Parameter next: the first element.
  private init<S: Subscriber>(_ name: String, _ downstream: S, _ next: Iterator.Element, _ iterator: Iterator)
  where S.Input == Iterator.Element, S.Failure == Failure {
    description = name
    state = Guarded(State(downstream: AnySubscriber(downstream), iterator: iterator, next: next))
  }

  /// Gives a subscriber the elements; the end at once when there are none.
  static func attach<S: Subscriber>(_ name: String, _ downstream: S, _ elements: Iterator)
  where S.Input == Iterator.Element, S.Failure == Failure {
    var iterator = elements
    guard let next = iterator.next() else {
      downstream.receive(subscription: Subscriptions.empty)
      downstream.receive(completion: .finished)
      return
    }
    downstream.receive(subscription: IteratorSubscription(name, downstream, next, iterator))
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { preconditionFailure("A subscriber asked for no value at all.") }
    let tells = state.withLock { state -> Bool in
      state.demand += demand
      guard !state.isTelling, state.downstream != nil else { return false }
      state.isTelling = true
      return true
    }
    guard tells else { return }
    while let (downstream, value, iterator) = take() {
      // The elements are the client's code: asked with no lock held.
      var iterator = iterator
      let next = iterator.next()
      let more = downstream.receive(value)
      let isOver = state.withLock { state -> Bool in
        state.demand += more
        state.iterator = iterator
        state.next = next
        return next == nil && state.downstream != nil
      }
      guard isOver else { continue }
      cancelled()?.receive(completion: .finished)
    }
  }

  private func take() -> (AnySubscriber<Iterator.Element, Failure>, Iterator.Element, Iterator)? {
    state.withLock { state in
      guard let downstream = state.downstream, state.demand > 0, let next = state.next else {
        state.isTelling = false
        return nil
      }
      state.demand -= 1
      return (downstream, next, state.iterator)
    }
  }

  private func cancelled() -> AnySubscriber<Iterator.Element, Failure>? {
    let (downstream, freed) = state.withLock { state in
      defer {
        state.downstream = nil
        state.next = nil
      }
      return (state.downstream, state.next)
    }
    withExtendedLifetime(freed) {}
    return downstream
  }

  func cancel() {
    _ = cancelled()
  }
}
