public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
public let kCVPixelBufferMemoryAllocatorKey: CFString = "MemoryAllocator"
public let kCVPixelBufferWidthKey: CFString = "Width"
public let kCVPixelBufferHeightKey: CFString = "Height"
public let kCVPixelBufferExtendedPixelsLeftKey: CFString = "ExtendedPixelsLeft"
public let kCVPixelBufferExtendedPixelsTopKey: CFString = "ExtendedPixelsTop"
public let kCVPixelBufferExtendedPixelsRightKey: CFString = "ExtendedPixelsRight"
public let kCVPixelBufferExtendedPixelsBottomKey: CFString = "ExtendedPixelsBottom"
/// A power of two; rows start at multiples of it. 64 when absent.
public let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
public let kCVPixelBufferPlaneAlignmentKey: CFString = "PlaneAlignment"
public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
public let kCVPixelBufferOpenGLCompatibilityKey: CFString = "OpenGLCompatibility"
public let kCVPixelBufferOpenGLESCompatibilityKey: CFString = "OpenGLESCompatibility"
public let kCVPixelBufferOpenGLESTextureCacheCompatibilityKey: CFString = "OpenGLESTextureCacheCompatibility"
public let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"

/// What a pixel buffer's attributes say that matters here; the rest is carried along.
struct PixelBufferAttributes {
  private let dictionary: CFDictionary

  init(_ dictionary: CFDictionary) {
    self.dictionary = dictionary
  }

  var width: Int? { integer(kCVPixelBufferWidthKey) }
  var height: Int? { integer(kCVPixelBufferHeightKey) }

  /// The format, or the first of a list that is known here.
  var format: OSType? {
    let value = dictionary[kCVPixelBufferPixelFormatTypeKey]
    if let list = value as? [Any] {
      return list.lazy.compactMap(PixelBufferAttributes.format).first { PixelFormatLayout($0) != nil }
    }
    return value.flatMap(PixelBufferAttributes.format)
  }

  /// Nil when the value asked for is not a power of two up to 65536.
  var rowAlignment: Int? {
    guard dictionary[kCVPixelBufferBytesPerRowAlignmentKey] != nil else { return 64 }
    guard let value = integer(kCVPixelBufferBytesPerRowAlignmentKey), value > 0, value <= 1 << 16,
      value.nonzeroBitCount == 1
    else { return nil }
    return max(value, 16)
  }

  func resolved(width: Int, height: Int, format: OSType) -> CFDictionary {
    var dictionary = dictionary
    dictionary[kCVPixelBufferWidthKey] = NSNumber(value: width)
    dictionary[kCVPixelBufferHeightKey] = NSNumber(value: height)
    dictionary[kCVPixelBufferPixelFormatTypeKey] = NSNumber(value: format)
    return dictionary
  }

  private static func format(_ value: Any) -> OSType? {
    integer(value).flatMap { OSType(exactly: $0) ?? Int32(exactly: $0).map(OSType.init(bitPattern:)) }
  }

  private func integer(_ key: CFString) -> Int? {
    dictionary[key].flatMap(PixelBufferAttributes.integer)
  }

  static func integer(_ value: Any) -> Int? {
    if let number = value as? NSNumber { return number.intValue }
    return (value as? any BinaryInteger).flatMap { Int(exactly: $0) }
  }
}
