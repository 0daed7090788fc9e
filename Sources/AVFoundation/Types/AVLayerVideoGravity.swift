/// How a picture is fitted into a layer's bounds.
public struct AVLayerVideoGravity: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension AVLayerVideoGravity {
  /// The whole picture, its aspect kept: bars where it does not fill.
  public static let resizeAspect = Self(rawValue: "AVLayerVideoGravityResizeAspect")
  /// Fills the bounds, aspect kept: what does not fit is cut.
  public static let resizeAspectFill = Self(rawValue: "AVLayerVideoGravityResizeAspectFill")
  /// Fills the bounds; the aspect is lost.
  public static let resize = Self(rawValue: "AVLayerVideoGravityResize")
}
