/// A video codec, named by its four-character code.
public struct AVVideoCodecType: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension AVVideoCodecType {
  public static let hevc = Self(rawValue: "hvc1")
  public static let h264 = Self(rawValue: "avc1")
  public static let jpeg = Self(rawValue: "jpeg")
  public static let jpegXL = Self(rawValue: "jxlc")
  public static let proRes4444 = Self(rawValue: "ap4h")
  public static let proRes422 = Self(rawValue: "apcn")
  public static let proRes422HQ = Self(rawValue: "apch")
  public static let proRes422LT = Self(rawValue: "apcs")
  public static let proRes422Proxy = Self(rawValue: "apco")
  public static let hevcWithAlpha = Self(rawValue: "muxa")
}
