public import Foundation

/// A property of a class that can be loaded, without its value's type.
public class AVPartialAsyncProperty<Root: AVAsynchronousKeyValueLoading>: Hashable, CustomStringConvertible,
  @unchecked Sendable
{
  // @unchecked Sendable: immutable.
  let key: String

  init(key: String) {
    self.key = key
  }

  public var description: String { key }

  public static func == (left: AVPartialAsyncProperty<Root>, right: AVPartialAsyncProperty<Root>) -> Bool {
    left.key == right.key
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
  }
}

/// A property of a class that can be loaded: what `load(_:)` takes.
public final class AVAsyncProperty<Root: AVAsynchronousKeyValueLoading, Value>: AVPartialAsyncProperty<Root>,
  @unchecked Sendable
{
  /// How far a property's loading has come.
  public enum Status {
    case notYetLoaded
    case loading
    case loaded(Value)
    case failed(NSError)
  }

  let read: @Sendable (Root) throws -> Value

  init(_ key: String, _ read: @escaping @Sendable (Root) throws -> Value) {
    self.read = read
    super.init(key: key)
  }
}

extension AVAsyncProperty.Status: Sendable where Value: Sendable {}
extension AVAsyncProperty.Status: Equatable where Value: Equatable {}
