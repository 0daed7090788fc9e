import Combine

/// A publisher that the test drives by hand, and that writes down what is asked of it. One thread.
final class Probe<Output, Failure: Error>: Publisher {
  /// `request 1`, `request unlimited`, `cancel`, and what was answered to values: `answer 1`.
  private(set) var log: [String] = []
  private var downstream: AnySubscriber<Output, Failure>?
  weak var subscription: AnyObject?
  private(set) var subscribers = 0
  private var demand = Subscribers.Demand.none
  /// Called at each request.
  var onRequest: (Probe) -> Void = { _ in }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscribers += 1
    demand = .none
    downstream = AnySubscriber(subscriber)
    let link = Link(self)
    subscription = link
    subscriber.receive(subscription: link)
  }

  /// Sends whether it was asked for or not.
  func send(_ value: Output) {
    guard let downstream else { return }
    if demand > 0 { demand -= 1 }
    let answer = downstream.receive(value)
    demand += answer
    if answer > 0 { log.append("answer \(text(answer))") }
  }

  /// Sends what is asked for of these.
  func sendAsked(_ values: inout [Output]) {
    while demand > 0, downstream != nil, !values.isEmpty { send(values.removeFirst()) }
  }

  func finish() { end(.finished) }
  func fail(_ error: Failure) { end(.failure(error)) }

  private func end(_ completion: Subscribers.Completion<Failure>) {
    let downstream = downstream
    self.downstream = nil
    downstream?.receive(completion: completion)
  }

  private func text(_ demand: Subscribers.Demand) -> String { demand.max.map(String.init) ?? "unlimited" }

  private final class Link: Subscription {
    private let owner: Probe

    init(_ owner: Probe) {
      self.owner = owner
    }

    func request(_ demand: Subscribers.Demand) {
      owner.log.append("request \(owner.text(demand))")
      owner.demand += demand
      owner.onRequest(owner)
    }

    func cancel() {
      owner.log.append("cancel")
      owner.downstream = nil
    }
  }
}
