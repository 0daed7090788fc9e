public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710
public let kCMFormatDescriptionError_AllocationFailed: OSStatus = -12711
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

/// A description without a size or a stream format.
@discardableResult
public func CMFormatDescriptionCreate(
  allocator: CFAllocator?, mediaType: CMMediaType, mediaSubType: FourCharCode, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = CMFormatDescription(
    type: mediaType, subType: mediaSubType, extensions: extensions ?? [:])
  return noErr
}

public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType {
  desc.typeCode
}

public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
  desc.subTypeCode
}

/// Nil when there are none.
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? {
  desc.extensionDictionary.isEmpty ? nil : desc.extensionDictionary
}

public func CMFormatDescriptionGetExtension(_ desc: CMFormatDescription, extensionKey: CFString) -> CFPropertyList? {
  desc.extensionDictionary[extensionKey]
}

public func CMFormatDescriptionEqual(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
  formatDescription == otherFormatDescription
}

public func CMFormatDescriptionEqualIgnoringExtensionKeys(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?,
  extensionKeysToIgnore: CFTypeRef?, sampleDescriptionExtensionAtomKeysToIgnore: CFTypeRef?
) -> Bool {
  guard let formatDescription, let otherFormatDescription else {
    return formatDescription == nil && otherFormatDescription == nil
  }
  func keys(_ value: CFTypeRef?) -> [String] {
    value as? [String] ?? (value as? String).map { [$0] } ?? []
  }
  return formatDescription.equalTo(
    otherFormatDescription,
    extensionKeysToIgnore: keys(extensionKeysToIgnore).map(CMFormatDescription.Extensions.Key.init),
    sampleDescriptionExtensionAtomKeysToIgnore: keys(sampleDescriptionExtensionAtomKeysToIgnore))
}

extension NSError {
  /// The error that Apple's Swift forms of functions with a status throw.
  package static func status(_ status: OSStatus) -> NSError {
    NSError(domain: NSOSStatusErrorDomain, code: Int(status))
  }
}
