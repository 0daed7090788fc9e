/// What ties a subscriber to its publisher. Any thread; calls may come from within the subscriber's own.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Asks for this many values more. None at all is a mistake of the caller's.
  func request(_ demand: Subscribers.Demand)
}

/// The home of ready subscriptions.
public enum Subscriptions {
  /// A subscription with nothing behind it, for publishers that complete at once.
  public static var empty: any Subscription { EmptySubscription.one }
}

private struct EmptySubscription: Subscription, CustomStringConvertible, Sendable {
  static let one = EmptySubscription()

  let combineIdentifier = CombineIdentifier()
  var description: String { "Empty" }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}
