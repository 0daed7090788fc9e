/// The dynamic range of video.
public struct AVVideoRange: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension AVVideoRange {
  public static let sdr = Self(rawValue: "SDR")
  public static let hlg = Self(rawValue: "HLG")
  public static let pq = Self(rawValue: "PQ")
}
