/// What a fold does with one value of its upstream.
enum FoldStep<Output, Failure: Error> {
  case more
  /// The result is known before the end.
  case done(Output)
  case fail(Failure)
}

/// The engine of operators with one result for all values: upstream is asked for everything at once, and the result
/// waits for a demand. Without a result the end waits for none.
final class Fold<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
  typealias Step = FoldStep<Downstream.Input, Downstream.Failure>

  private struct State {
    var downstream: Downstream?
    var upstream: (any Subscription)?
    var isDemanded = false
    var isComplete = false
    var result: Downstream.Input?
  }

  let description: String
  private let state: Guarded<State>
  private let step: (Input) -> Step
  private let result: () -> Downstream.Input?
  private let fail: (Failure) -> Downstream.Failure

  init(
    _ name: String, _ downstream: Downstream, step: @escaping (Input) -> Step,
    result: @escaping () -> Downstream.Input?, fail: @escaping (Failure) -> Downstream.Failure
  ) {
    description = name
    state = Guarded(State(downstream: downstream))
    self.step = step
    self.result = result
    self.fail = fail
  }

  func receive(subscription: any Subscription) {
    let downstream = state.withLock { state -> Downstream? in
      guard let downstream = state.downstream, state.upstream == nil, !state.isComplete else { return nil }
      state.upstream = subscription
      return downstream
    }
    guard let downstream else {
      subscription.cancel()
      return
    }
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard state.withLock({ $0.upstream != nil }) else { return .none }
    switch step(input) {
    case .more: break
    case .done(let result): complete(with: result)
    case .fail(let error):
      let before = state.exchange(State(isComplete: true))
      before.upstream?.cancel()
      before.downstream?.receive(completion: .failure(error))
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let upstream = state.withLock { state in
      defer { state.upstream = nil }
      return state.upstream
    }
    guard upstream != nil else { return }
    switch completion {
    case .finished: complete(with: result())
    case .failure(let error):
      state.exchange(State(isComplete: true)).downstream?.receive(completion: .failure(fail(error)))
    }
  }

  private func complete(with result: Downstream.Input?) {
    let (upstream, tells) = state.withLock { state -> ((any Subscription)?, Bool) in
      let upstream = state.upstream
      state.upstream = nil
      guard state.downstream != nil, !state.isComplete else { return (upstream, false) }
      state.isComplete = true
      state.result = result
      return (upstream, state.isDemanded || result == nil)
    }
    upstream?.cancel()
    if tells { tell() }
  }

  private func tell() {
    let (downstream, result) = state.withLock { state in
      defer { state.result = nil }
      return (state.downstream, state.result)
    }
    if let downstream, let result { _ = downstream.receive(result) }
    // It may have cancelled on receiving the result.
    state.exchange(State(isComplete: true)).downstream?.receive(completion: .finished)
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { preconditionFailure("A subscriber asked for no value at all.") }
    let tells = state.withLock { state -> Bool in
      defer { state.isDemanded = true }
      return !state.isDemanded && state.isComplete
    }
    if tells { tell() }
  }

  func cancel() {
    state.exchange(State(isComplete: true)).upstream?.cancel()
  }
}

extension Fold where Downstream.Failure == Failure {
  convenience init(
    _ name: String, _ downstream: Downstream, step: @escaping (Input) -> Step,
    result: @escaping () -> Downstream.Input?
  ) {
    self.init(name, downstream, step: step, result: result, fail: { $0 })
  }
}

extension Fold where Downstream.Failure == any Error {
  /// For operators whose closure throws.
  convenience init(
    _ name: String, _ downstream: Downstream, trying step: @escaping (Input) throws -> Step,
    result: @escaping () -> Downstream.Input?
  ) {
    self.init(
      name, downstream,
      step: { input in
        do { return try step(input) } catch { return .fail(error) }
      },
      result: result, fail: { $0 })
  }
}
