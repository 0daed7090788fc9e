import Combine
import MediaRuntime

enum TestError: Error, Equatable {
  case first, second
}

/// What a subscriber was told, in order.
enum Event<Input: Equatable & Sendable>: Equatable, Sendable, CustomStringConvertible {
  case subscription
  case value(Input)
  case finished
  case failed(String)

  var description: String {
    switch self {
    case .subscription: "subscription"
    case .value(let value): "\(value)"
    case .finished: "finished"
    case .failed(let error): "failed \(error)"
    }
  }
}

/// Writes down what it is told, and asks only when the test says so.
// @unchecked Sendable: the history is behind the lock; the closures are set before it is subscribed.
final class Recorder<Input: Equatable & Sendable, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  private struct State: @unchecked Sendable {
    var history: [Event<Input>] = []
    var subscription: (any Subscription)?
    var demanded = Subscribers.Demand.none
    var received = 0
    var excess = 0
  }

  private let state = Lock(State())
  private let initial: Subscribers.Demand
  /// What is answered to each value.
  var answer = Subscribers.Demand.none
  var onValue: (Recorder, Input) -> Void = { _, _ in }
  var onSubscription: (Recorder) -> Void = { _ in }
  var onCompletion: (Recorder) -> Void = { _ in }

  init(_ initial: Subscribers.Demand = .unlimited) {
    self.initial = initial
  }

  var history: [Event<Input>] { state.withLock { $0.history } }
  var values: [Input] {
    history.compactMap { event in
      if case .value(let value) = event { return value }
      return nil
    }
  }
  var subscriptionText: String { state.withLock { $0.subscription.map { "\($0)" } ?? "" } }
  /// How many values came that had not been asked for.
  var excess: Int { state.withLock { $0.excess } }

  func receive(subscription: any Subscription) {
    nonisolated(unsafe) let subscription = subscription
    state.withLock { state in
      state.history.append(.subscription)
      state.subscription = subscription
    }
    onSubscription(self)
    if initial > 0 { request(initial) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let answer = answer
    state.withLock { state in
      state.history.append(.value(input))
      state.received += 1
      if state.demanded < state.received { state.excess += 1 }
    }
    onValue(self, input)
    state.withLock { $0.demanded += answer }
    return answer
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let event: Event<Input>
    switch completion {
    case .finished: event = .finished
    case .failure(let error): event = .failed("\(error)")
    }
    state.withLock { $0.history.append(event) }
    onCompletion(self)
  }

  func request(_ demand: Subscribers.Demand) {
    let subscription = taken { state in
      state.demanded += demand
      return state.subscription
    }
    subscription?.request(demand)
  }

  func cancel() {
    let subscription = taken { state in
      defer { state.subscription = nil }
      return state.subscription
    }
    subscription?.cancel()
  }

  private struct Carried: @unchecked Sendable {
    let subscription: (any Subscription)?
  }

  private func taken(_ body: (inout State) -> (any Subscription)?) -> (any Subscription)? {
    state.withLock { state in Carried(subscription: body(&state)) }.subscription
  }
}
