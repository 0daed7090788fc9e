import Synchronization

/// Names one subscriber or subscription.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  private enum Name: Hashable {
    case object(ObjectIdentifier)
    case number(UInt64)
  }

  private static let last = Atomic<UInt64>(0)
  private let name: Name

  /// Unlike all others of this process.
  public init() {
    name = .number(Self.last.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  /// The same for the same object, while it lives.
  public init(_ object: AnyObject) {
    name = .object(ObjectIdentifier(object))
  }

  public var description: String {
    switch name {
    case .object(let object): "0x" + String(UInt(bitPattern: object), radix: 16)
    case .number(let number): "0x" + String(number, radix: 16)
    }
  }
}

/// What can be told apart from others of its kind, also as a value.
public protocol CustomCombineIdentifierConvertible {
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
