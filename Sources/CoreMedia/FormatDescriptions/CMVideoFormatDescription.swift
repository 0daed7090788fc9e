/// A picture's size in stored pixels.
public struct CMVideoDimensions: Hashable, Sendable {
  public var width: Int32
  public var height: Int32

  public init() {
    self.init(width: 0, height: 0)
  }

  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }
}

extension CMFormatDescription {
  /// - Throws: `kCMFormatDescriptionError_InvalidParameter` for a size that is negative or exceeds 32 bits.
  public convenience init(
    videoCodecType: MediaSubType, width: Int, height: Int, extensions: Extensions? = nil
  ) throws {
    guard let width = Int32(exactly: width), let height = Int32(exactly: height), width >= 0, height >= 0 else {
      throw NSError.status(kCMFormatDescriptionError_InvalidParameter)
    }
    self.init(
      type: kCMMediaType_Video, subType: videoCodecType.rawValue, extensions: extensions?.base ?? [:],
      size: CMVideoDimensions(width: width, height: height))
  }

  /// Describes a picture, with the colour and geometry attached to it.
  public convenience init(imageBuffer: CVImageBuffer) throws {
    self.init(ofImage: imageBuffer)
  }

  convenience init(ofImage imageBuffer: CVImageBuffer) {
    var extensions = imageExtensions(of: imageBuffer)
    if isFullRange(CVPixelBufferGetPixelFormatType(imageBuffer)) {
      extensions[kCMFormatDescriptionExtension_FullRangeVideo] = NSNumber(value: true)
    }
    extensions[kCMFormatDescriptionExtension_Version] = NSNumber(value: 2)
    extensions[kCMFormatDescriptionExtension_BytesPerRow] = NSNumber(value: CVPixelBufferGetBytesPerRow(imageBuffer))
    self.init(
      type: kCMMediaType_Video, subType: CVPixelBufferGetPixelFormatType(imageBuffer), extensions: extensions,
      size: CMVideoDimensions(
        width: Int32(clamping: CVPixelBufferGetWidth(imageBuffer)),
        height: Int32(clamping: CVPixelBufferGetHeight(imageBuffer))))
  }

  /// Zero for media without a size.
  public var dimensions: CMVideoDimensions { size ?? CMVideoDimensions() }

  /// True when the picture has this format, size, colour and geometry.
  public func matchesImageBuffer(_ imageBuffer: CVImageBuffer) -> Bool {
    guard typeCode == kCMMediaType_Video, subTypeCode == CVPixelBufferGetPixelFormatType(imageBuffer),
      Int(dimensions.width) == CVPixelBufferGetWidth(imageBuffer),
      Int(dimensions.height) == CVPixelBufferGetHeight(imageBuffer)
    else { return false }
    let attached = imageExtensions(of: imageBuffer)
    return imageExtensionKeys.allSatisfy { propertyListsEqual(extensionDictionary[$0], attached[$0]) }
  }
}

private let imageExtensionKeys: [CFString] = [
  kCMFormatDescriptionExtension_CleanAperture, kCMFormatDescriptionExtension_FieldCount,
  kCMFormatDescriptionExtension_FieldDetail, kCMFormatDescriptionExtension_PixelAspectRatio,
  kCMFormatDescriptionExtension_ColorPrimaries, kCMFormatDescriptionExtension_TransferFunction,
  kCMFormatDescriptionExtension_GammaLevel, kCMFormatDescriptionExtension_YCbCrMatrix,
  kCMFormatDescriptionExtension_ICCProfile, kCMFormatDescriptionExtension_ChromaLocationTopField,
  kCMFormatDescriptionExtension_ChromaLocationBottomField,
  kCMFormatDescriptionExtension_MasteringDisplayColorVolume, kCMFormatDescriptionExtension_ContentLightLevelInfo,
  kCMFormatDescriptionExtension_AmbientViewingEnvironment, kCMFormatDescriptionExtension_AlphaChannelMode,
]

/// Attachments that describe the picture, propagating or not.
private func imageExtensions(of buffer: CVImageBuffer) -> CFDictionary {
  var extensions: CFDictionary = [:]
  for key in imageExtensionKeys { extensions[key] = CVBufferCopyAttachment(buffer, key, nil) }
  return extensions
}

private func isFullRange(_ format: OSType) -> Bool {
  [
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_422YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_444YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
    kCVPixelFormatType_422YpCbCr10BiPlanarFullRange, kCVPixelFormatType_444YpCbCr10BiPlanarFullRange,
    kCVPixelFormatType_420YpCbCr8PlanarFullRange, kCVPixelFormatType_422YpCbCr8FullRange,
  ].contains(format)
}

@discardableResult
public func CMVideoFormatDescriptionCreate(
  allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  guard width >= 0, height >= 0 else { return kCMFormatDescriptionError_InvalidParameter }
  formatDescriptionOut.pointee = CMFormatDescription(
    type: kCMMediaType_Video, subType: codecType, extensions: extensions ?? [:],
    size: CMVideoDimensions(width: width, height: height))
  return noErr
}

@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer,
  formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = CMFormatDescription(ofImage: imageBuffer)
  return noErr
}

public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions {
  videoDesc.dimensions
}

public func CMVideoFormatDescriptionMatchesImageBuffer(
  _ desc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
  desc.matchesImageBuffer(imageBuffer)
}
