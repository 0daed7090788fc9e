/// What receives values from a publisher.
///
/// A publisher calls one of these at a time, never two at once.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error

  /// Comes first. Values come after `request(_:)`, perhaps before that returns.
  func receive(subscription: any Subscription)
  /// - Returns: how many more are wanted than were asked for already.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Comes last.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// The home of the subscribers and of what they say.
public enum Subscribers {}
