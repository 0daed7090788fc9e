/// The vocabulary that a metadata key belongs to.
public struct AVMetadataKeySpace: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension AVMetadataKeySpace {
  /// The vocabulary that the others are mapped to.
  public static let common = Self(rawValue: "comn")
  public static let quickTimeUserData = Self(rawValue: "udta")
  public static let isoUserData = Self(rawValue: "uiso")
  public static let quickTimeMetadata = Self(rawValue: "mdta")
  public static let iTunes = Self(rawValue: "itsk")
  public static let id3 = Self(rawValue: "org.id3")
  public static let icy = Self(rawValue: "icy")
  public static let hlsDateRange = Self(rawValue: "lsdr")
  public static let audioFile = Self(rawValue: "caaf")
}
