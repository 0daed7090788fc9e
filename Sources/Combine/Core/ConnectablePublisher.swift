/// A publisher that begins when it is told to, not when it is subscribed to.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Begins; cancelling, or forgetting, what is returned ends it.
  func connect() -> any Cancellable
}
