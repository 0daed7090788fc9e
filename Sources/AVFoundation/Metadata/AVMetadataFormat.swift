/// The form in which a container stores metadata.
public struct AVMetadataFormat: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension AVMetadataFormat {
  public static let quickTimeUserData = Self(rawValue: "com.apple.quicktime.udta")
  public static let isoUserData = Self(rawValue: "org.mp4ra")
  public static let quickTimeMetadata = Self(rawValue: "com.apple.quicktime.mdta")
  public static let iTunesMetadata = Self(rawValue: "com.apple.itunes")
  public static let id3Metadata = Self(rawValue: "org.id3")
  public static let hlsMetadata = Self(rawValue: "com.apple.quicktime.HLS")
  public static let unknown = Self(rawValue: "unknown")
}
