/// What kind of time a `CMTime` is.
public struct CMTimeFlags: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Must be set together with each of the others.
  public static let valid = CMTimeFlags(rawValue: 1)
  public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
  public static let positiveInfinity = CMTimeFlags(rawValue: 4)
  public static let negativeInfinity = CMTimeFlags(rawValue: 8)
  public static let indefinite = CMTimeFlags(rawValue: 16)
  /// The flags beside which value and timescale mean nothing.
  public static let impliedValueFlagsMask = CMTimeFlags(rawValue: 28)
}
