public import Foundation

/// One change of an observed property.
public struct NSKeyValueObservedChange<Value> {
  public typealias Kind = NSKeyValueChange

  public let kind: Kind
  /// With `.new`, except in the call before the change.
  public let newValue: Value?
  /// With `.old`, except in the `.initial` call.
  public let oldValue: Value?
  /// Always nil: no media property is changed element by element.
  public let indexes: IndexSet?
  /// True in the call that `.prior` asks for.
  public let isPrior: Bool
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}
