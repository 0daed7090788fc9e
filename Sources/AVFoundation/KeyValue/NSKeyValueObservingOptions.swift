/// What a change handler is told, and when it is called.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// `newValue` is filled.
  public static let new = NSKeyValueObservingOptions(rawValue: 0x1)
  /// `oldValue` is filled.
  public static let old = NSKeyValueObservingOptions(rawValue: 0x2)
  /// The handler is called at once, before `observe` returns.
  public static let initial = NSKeyValueObservingOptions(rawValue: 0x4)
  /// The handler is called before each change too, with `isPrior` true and without a new value.
  public static let prior = NSKeyValueObservingOptions(rawValue: 0x8)
}

/// How a property changed. Media properties are always set as a whole.
public enum NSKeyValueChange: UInt, Sendable {
  case setting = 1
  case insertion = 2
  case removal = 3
  case replacement = 4
}
