public typealias CMVideoFormatDescription = CMFormatDescription
public typealias CMAudioFormatDescription = CMFormatDescription
public typealias CMMuxedFormatDescription = CMFormatDescription
public typealias CMTextFormatDescription = CMFormatDescription
public typealias CMClosedCaptionFormatDescription = CMFormatDescription
public typealias CMTimeCodeFormatDescription = CMFormatDescription
public typealias CMMetadataFormatDescription = CMFormatDescription

/// What samples are: kind, codec, size or stream format, and further facts. Immutable, compared by value.
// @unchecked Sendable: every property is constant, the memory of `audio` is written only by its initialiser, and the
// extensions are property lists that nobody changes.
public final class CMFormatDescription: @unchecked Sendable {
  let typeCode: CMMediaType
  let subTypeCode: FourCharCode
  let extensionDictionary: CFDictionary
  let size: CMVideoDimensions?
  let audio: AudioFormatDetails?
  /// Parameter sets at addresses that stay, once a C function has asked for them.
  let parameterSetMemory = ValueLock<[BlockMemory]?>(nil)

  init(
    type: CMMediaType, subType: FourCharCode, extensions: CFDictionary, size: CMVideoDimensions? = nil,
    audio: AudioFormatDetails? = nil
  ) {
    typeCode = type
    subTypeCode = subType
    extensionDictionary = extensions
    self.size = size
    self.audio = audio
  }

  /// A description without a size or a stream format.
  public convenience init(mediaType: MediaType, mediaSubType: MediaSubType, extensions: Extensions? = nil) throws {
    self.init(type: mediaType.rawValue, subType: mediaSubType.rawValue, extensions: extensions?.base ?? [:])
  }
}

extension CMFormatDescription {
  public var mediaType: MediaType { MediaType(rawValue: typeCode) }
  public var mediaSubType: MediaSubType { MediaSubType(rawValue: subTypeCode) }
  public var extensions: Extensions { Extensions(base: extensionDictionary) }

  /// Equal in everything but what is to be ignored.
  public func equalTo(
    _ other: CMFormatDescription, extensionKeysToIgnore: [Extensions.Key] = [],
    sampleDescriptionExtensionAtomKeysToIgnore: [String] = []
  ) -> Bool {
    func compared(_ description: CMFormatDescription) -> CFDictionary {
      var extensions = description.extensionDictionary
      for key in extensionKeysToIgnore { extensions[key.rawValue] = nil }
      let atomsKey = kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms
      if !sampleDescriptionExtensionAtomKeysToIgnore.isEmpty, var atoms = extensions[atomsKey] as? CFDictionary {
        for key in sampleDescriptionExtensionAtomKeysToIgnore { atoms[key] = nil }
        extensions[atomsKey] = atoms
      }
      return extensions
    }
    return typeCode == other.typeCode && subTypeCode == other.subTypeCode && size == other.size
      && audio == other.audio && propertyListsEqual(compared(self), compared(other))
  }
}

extension CMFormatDescription: Hashable, CustomStringConvertible {
  public static func == (left: CMFormatDescription, right: CMFormatDescription) -> Bool {
    left === right || left.equalTo(right)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(typeCode)
    hasher.combine(subTypeCode)
    hasher.combine(size)
    hasher.combine(audio)
  }

  public var description: String {
    var text = "\(mediaType) \(mediaSubType)"
    if let size { text += " \(size.width)×\(size.height)" }
    if let stream = audio?.stream { text += " \(stream.mSampleRate) Hz, \(stream.mChannelsPerFrame) channels" }
    return text
  }
}
