public enum CGColorSpaceModel: Int32, Sendable {
  case unknown = -1
  case monochrome = 0
  case rgb = 1
  case cmyk = 2
  case lab = 3
  case deviceN = 4
  case indexed = 5
  case pattern = 6
  case XYZ = 7
}

/// What a colour's components mean, known by name.
public final class CGColorSpace: Sendable {
  /// Nil for device spaces.
  public let name: CFString?
  public let model: CGColorSpaceModel
  private let device: String?

  /// Nil for a name that is unknown here.
  public init?(name: CFString) {
    guard let model = CGColorSpace.models[name] else { return nil }
    self.name = name
    self.model = model
    device = nil
  }

  fileprivate init(device: String, model: CGColorSpaceModel) {
    name = nil
    self.model = model
    self.device = device
  }

  public var numberOfComponents: Int {
    switch model {
    case .monochrome: 1
    case .cmyk: 4
    default: 3
    }
  }

  public static let sRGB: CFString = "kCGColorSpaceSRGB"
  public static let linearSRGB: CFString = "kCGColorSpaceLinearSRGB"
  public static let extendedSRGB: CFString = "kCGColorSpaceExtendedSRGB"
  public static let extendedLinearSRGB: CFString = "kCGColorSpaceExtendedLinearSRGB"
  public static let displayP3: CFString = "kCGColorSpaceDisplayP3"
  public static let displayP3_HLG: CFString = "kCGColorSpaceDisplayP3_HLG"
  public static let displayP3_PQ: CFString = "kCGColorSpaceDisplayP3_PQ"
  public static let extendedDisplayP3: CFString = "kCGColorSpaceExtendedDisplayP3"
  public static let linearDisplayP3: CFString = "kCGColorSpaceLinearDisplayP3"
  public static let extendedLinearDisplayP3: CFString = "kCGColorSpaceExtendedLinearDisplayP3"
  public static let dcip3: CFString = "kCGColorSpaceDCIP3"
  public static let adobeRGB1998: CFString = "kCGColorSpaceAdobeRGB1998"
  public static let genericRGBLinear: CFString = "kCGColorSpaceGenericRGBLinear"
  public static let itur_709: CFString = "kCGColorSpaceITUR_709"
  public static let itur_709_PQ: CFString = "kCGColorSpaceITUR_709_PQ"
  public static let itur_709_HLG: CFString = "kCGColorSpaceITUR_709_HLG"
  public static let itur_2020: CFString = "kCGColorSpaceITUR_2020"
  public static let itur_2020_sRGBGamma: CFString = "kCGColorSpaceITUR_2020_sRGBGamma"
  public static let itur_2100_PQ: CFString = "kCGColorSpaceITUR_2100_PQ"
  public static let itur_2100_HLG: CFString = "kCGColorSpaceITUR_2100_HLG"
  public static let extendedITUR_2020: CFString = "kCGColorSpaceExtendedITUR_2020"
  public static let linearITUR_2020: CFString = "kCGColorSpaceLinearITUR_2020"
  public static let extendedLinearITUR_2020: CFString = "kCGColorSpaceExtendedLinearITUR_2020"
  public static let rommrgb: CFString = "kCGColorSpaceROMMRGB"
  public static let acescgLinear: CFString = "kCGColorSpaceACESCGLinear"
  public static let genericGrayGamma2_2: CFString = "kCGColorSpaceGenericGrayGamma2_2"
  public static let linearGray: CFString = "kCGColorSpaceLinearGray"
  public static let extendedGray: CFString = "kCGColorSpaceExtendedGray"
  public static let extendedLinearGray: CFString = "kCGColorSpaceExtendedLinearGray"
  public static let genericCMYK: CFString = "kCGColorSpaceGenericCMYK"

  private static let models: [CFString: CGColorSpaceModel] = {
    var models: [CFString: CGColorSpaceModel] = [genericCMYK: .cmyk]
    for name in [genericGrayGamma2_2, linearGray, extendedGray, extendedLinearGray] { models[name] = .monochrome }
    for name in [
      sRGB, linearSRGB, extendedSRGB, extendedLinearSRGB, displayP3, displayP3_HLG, displayP3_PQ, extendedDisplayP3,
      linearDisplayP3, extendedLinearDisplayP3, dcip3, adobeRGB1998, genericRGBLinear, itur_709, itur_709_PQ,
      itur_709_HLG, itur_2020, itur_2020_sRGBGamma, itur_2100_PQ, itur_2100_HLG, extendedITUR_2020, linearITUR_2020,
      extendedLinearITUR_2020, rommrgb, acescgLinear,
    ] { models[name] = .rgb }
    return models
  }()
}

extension CGColorSpace: Hashable {
  public static func == (left: CGColorSpace, right: CGColorSpace) -> Bool {
    left.name == right.name && left.device == right.device
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(device)
  }
}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace {
  CGColorSpace(device: "RGB", model: .rgb)
}

public func CGColorSpaceCreateDeviceGray() -> CGColorSpace {
  CGColorSpace(device: "gray", model: .monochrome)
}

public func CGColorSpaceCreateDeviceCMYK() -> CGColorSpace {
  CGColorSpace(device: "CMYK", model: .cmyk)
}
