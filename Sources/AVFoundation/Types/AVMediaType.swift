/// What kind of media a track carries.
public struct AVMediaType: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension AVMediaType {
  public static let video = Self(rawValue: "vide")
  public static let audio = Self(rawValue: "soun")
  public static let text = Self(rawValue: "text")
  public static let closedCaption = Self(rawValue: "clcp")
  public static let subtitle = Self(rawValue: "sbtl")
  public static let timecode = Self(rawValue: "tmcd")
  public static let metadata = Self(rawValue: "meta")
  public static let muxed = Self(rawValue: "muxx")
  public static let haptic = Self(rawValue: "hapt")
  public static let depthData = Self(rawValue: "dpth")
  public static let metadataObject = Self(rawValue: "mobj")
  public static let auxiliaryPicture = Self(rawValue: "auxv")
}
