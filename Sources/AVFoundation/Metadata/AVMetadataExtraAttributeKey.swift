/// What is known of a metadata item beside its value.
public struct AVMetadataExtraAttributeKey: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension AVMetadataExtraAttributeKey {
  public static let valueURI = Self(rawValue: "URI")
  public static let baseURI = Self(rawValue: "baseURI")
  public static let info = Self(rawValue: "info")
}
