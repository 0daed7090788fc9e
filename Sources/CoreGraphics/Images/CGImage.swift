/// A picture as rows of pixels in memory; immutable.
// @unchecked Sendable: every property is constant, and the colour space and the provider are Sendable themselves.
public final class CGImage: @unchecked Sendable {
  public let width: Int
  public let height: Int
  public let bitsPerComponent: Int
  public let bitsPerPixel: Int
  public let bytesPerRow: Int
  public let colorSpace: CGColorSpace?
  public let bitmapInfo: CGBitmapInfo
  public let dataProvider: CGDataProvider?
  public let shouldInterpolate: Bool
  public let renderingIntent: CGColorRenderingIntent
  /// Always false: masks are not supported.
  public let isMask = false
  /// The identifier of the file type that the image came from.
  public let utType: CFString?

  private let decodeArray: [CGFloat]?

  /// Nil when the sizes do not fit each other or the provider has too few bytes.
  public convenience init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
    bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
    intent: CGColorRenderingIntent
  ) {
    self.init(
      width: width, height: height, bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel,
      bytesPerRow: bytesPerRow, space: space, bitmapInfo: bitmapInfo, provider: provider,
      decode: decode.map { Array(UnsafeBufferPointer(start: $0, count: 2 * space.numberOfComponents)) },
      shouldInterpolate: shouldInterpolate, intent: intent, utType: nil)
  }

  package init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
    bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: [CGFloat]? = nil, shouldInterpolate: Bool = true,
    intent: CGColorRenderingIntent = .defaultIntent, utType: CFString? = nil
  ) {
    let sides = 1...(1 << 24)
    guard sides.contains(width), sides.contains(height), (1...32).contains(bitsPerComponent),
      (1...256).contains(bitsPerPixel), bitsPerPixel >= bitsPerComponent
    else { return nil }
    let rowBytes = (width * bitsPerPixel + 7) / 8
    let (before, overflow) = bytesPerRow.multipliedReportingOverflow(by: height - 1)
    guard bytesPerRow >= rowBytes, !overflow, let data = provider.data,
      before <= Int.max - rowBytes, data.count >= before + rowBytes
    else { return nil }
    self.width = width
    self.height = height
    self.bitsPerComponent = bitsPerComponent
    self.bitsPerPixel = bitsPerPixel
    self.bytesPerRow = bytesPerRow
    colorSpace = space
    self.bitmapInfo = bitmapInfo
    dataProvider = provider
    decodeArray = decode
    self.shouldInterpolate = shouldInterpolate
    renderingIntent = intent
    self.utType = utType
  }
}

extension CGImage {
  public var alphaInfo: CGImageAlphaInfo {
    CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) ?? .none
  }

  public var byteOrderInfo: CGImageByteOrderInfo {
    CGImageByteOrderInfo(rawValue: bitmapInfo.intersection(.byteOrderMask).rawValue) ?? .orderDefault
  }

  public func copy() -> CGImage? {
    self
  }

  /// The same pixels in another colour space, not converted; nil when the number of components differs.
  public func copy(colorSpace space: CGColorSpace) -> CGImage? {
    guard space.numberOfComponents == colorSpace?.numberOfComponents, let dataProvider else { return nil }
    return CGImage(
      width: width, height: height, bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel,
      bytesPerRow: bytesPerRow, space: space, bitmapInfo: bitmapInfo, provider: dataProvider, decode: decodeArray,
      shouldInterpolate: shouldInterpolate, intent: renderingIntent, utType: utType)
  }

  /// The part in the rectangle, widened to whole pixels and cut at the edges; nil when nothing is left.
  ///
  /// Pixels of less than a byte are cut at whole bytes only; other rectangles give nil.
  public func cropping(to rect: CGRect) -> CGImage? {
    guard !rect.isNull, !rect.isInfinite, [rect.minX, rect.minY, rect.maxX, rect.maxY].allSatisfy(\.isFinite) else {
      return nil
    }
    let part = rect.standardized.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
    guard !part.isNull, part.width >= 1, part.height >= 1, let data = dataProvider?.data, let colorSpace else {
      return nil
    }
    let (left, top, columns, rows) = (Int(part.minX), Int(part.minY), Int(part.width), Int(part.height))
    guard left * bitsPerPixel % 8 == 0 else { return nil }
    let rowBytes = (columns * bitsPerPixel + 7) / 8
    var pixels = Data(capacity: rowBytes * rows)
    for row in top..<top + rows {
      let start = data.startIndex + row * bytesPerRow + left * bitsPerPixel / 8
      pixels.append(data[start..<start + rowBytes])
    }
    guard let provider = CGDataProvider(data: pixels) else { return nil }
    return CGImage(
      width: columns, height: rows, bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel,
      bytesPerRow: rowBytes, space: colorSpace, bitmapInfo: bitmapInfo, provider: provider, decode: decodeArray,
      shouldInterpolate: shouldInterpolate, intent: renderingIntent, utType: utType)
  }
}

extension CGImage: Hashable {
  /// The same object.
  public static func == (left: CGImage, right: CGImage) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
