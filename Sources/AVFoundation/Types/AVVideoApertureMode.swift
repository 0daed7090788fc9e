/// Which part of the stored picture is shown.
public struct AVVideoApertureMode: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension AVVideoApertureMode {
  public static let cleanAperture = Self(rawValue: "CleanAperture")
  public static let productionAperture = Self(rawValue: "ProductionAperture")
  public static let encodedPixels = Self(rawValue: "EncodedPixels")
}
