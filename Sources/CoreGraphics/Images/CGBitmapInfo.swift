/// Where a pixel's alpha is and whether colours are multiplied by it.
public enum CGImageAlphaInfo: UInt32, Sendable {
  case none = 0
  case premultipliedLast = 1
  case premultipliedFirst = 2
  case last = 3
  case first = 4
  case noneSkipLast = 5
  case noneSkipFirst = 6
  case alphaOnly = 7
}

public enum CGImageByteOrderInfo: UInt32, Sendable {
  case orderDefault = 0
  case order16Little = 0x1000
  case order32Little = 0x2000
  case order16Big = 0x3000
  case order32Big = 0x4000
  case orderMask = 0x7000
}

public enum CGImagePixelFormatInfo: UInt32, Sendable {
  case packed = 0
  case RGB555 = 0x10000
  case RGB565 = 0x20000
  case RGB101010 = 0x30000
  case RGBCIF10 = 0x40000
  case mask = 0xf0000
}

/// How a bitmap's components lie in memory: alpha, kind of number, byte order.
public struct CGBitmapInfo: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public init(
    alpha: CGImageAlphaInfo, component: CGBitmapInfo = [], byteOrder: CGImageByteOrderInfo = .orderDefault,
    pixelFormat: CGImagePixelFormatInfo = .packed
  ) {
    rawValue = alpha.rawValue | component.rawValue | byteOrder.rawValue | pixelFormat.rawValue
  }

  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1f)
  public static let floatInfoMask = CGBitmapInfo(rawValue: 0xf00)
  public static let floatComponents = CGBitmapInfo(rawValue: 0x100)
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 0x1000)
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 0x2000)
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 0x3000)
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 0x4000)

  public static var byteOrderDefault: CGBitmapInfo { [] }
}

/// What to do with colours that the destination can't show.
public enum CGColorRenderingIntent: Int32, Sendable {
  case defaultIntent = 0
  case absoluteColorimetric = 1
  case relativeColorimetric = 2
  case perceptual = 3
  case saturation = 4
}
