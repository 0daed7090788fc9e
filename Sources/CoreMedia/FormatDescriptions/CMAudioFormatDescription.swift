extension CMFormatDescription {
  public convenience init(
    audioStreamBasicDescription: AudioStreamBasicDescription, layout: ManagedAudioChannelLayout? = nil,
    magicCookie: Data? = nil, extensions: Extensions? = nil
  ) throws {
    self.init(
      type: kCMMediaType_Audio, subType: audioStreamBasicDescription.mFormatID, extensions: extensions?.base ?? [:],
      audio: AudioFormatDetails(stream: audioStreamBasicDescription, layout: layout, magicCookie: magicCookie))
  }

  /// Nil for media other than audio.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? { audio?.stream }
  public var audioChannelLayout: ManagedAudioChannelLayout? { audio?.layout }
  /// The decoder's configuration (the contents of `esds` for AAC, for one).
  public var magicCookie: Data? { audio?.magicCookie }
  public var audioFormatList: [AudioFormatListItem] { audio?.formats ?? [] }
  public var audioRichestDecodableFormat: AudioFormatListItem? { audio?.formats.first }
  public var audioMostCompatibleFormat: AudioFormatListItem? { audio?.formats.last }
}

@discardableResult
public func CMAudioFormatDescriptionCreate(
  allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
  layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int, magicCookie: UnsafeRawPointer?,
  extensions: CFDictionary?, formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  var managedLayout: ManagedAudioChannelLayout?
  if let layout, layoutSize > 0 {
    guard let copy = ManagedAudioChannelLayout(layout, size: layoutSize) else {
      return kCMFormatDescriptionError_InvalidParameter
    }
    managedLayout = copy
  }
  guard magicCookieSize >= 0, magicCookieSize == 0 || magicCookie != nil else {
    return kCMFormatDescriptionError_InvalidParameter
  }
  let cookie = magicCookie.map { Data(bytes: $0, count: magicCookieSize) }
  formatDescriptionOut.pointee = CMFormatDescription(
    type: kCMMediaType_Audio, subType: asbd.pointee.mFormatID, extensions: extensions ?? [:],
    audio: AudioFormatDetails(stream: asbd.pointee, layout: managedLayout, magicCookie: cookie))
  return noErr
}

/// Valid as long as the description.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
  desc.audio.map { UnsafePointer($0.streamPointer) }
}

/// Valid as long as the description.
public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
  let bytes = desc.audio?.layoutBytes
  sizeOut?.pointee = bytes?.count ?? 0
  return (bytes?.baseAddress).map { UnsafePointer($0.assumingMemoryBound(to: AudioChannelLayout.self)) }
}

/// Valid as long as the description.
public func CMAudioFormatDescriptionGetMagicCookie(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  let bytes = desc.audio?.cookieBytes
  sizeOut?.pointee = bytes?.count ?? 0
  return (bytes?.baseAddress).map { UnsafeRawPointer($0) }
}

/// Valid as long as the description.
public func CMAudioFormatDescriptionGetFormatList(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioFormatListItem>? {
  sizeOut?.pointee = desc.audio == nil ? 0 : MemoryLayout<AudioFormatListItem>.size
  return desc.audio.map { UnsafePointer($0.formatPointer) }
}

/// Valid as long as the description.
public func CMAudioFormatDescriptionGetRichestDecodableFormat(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? {
  CMAudioFormatDescriptionGetFormatList(desc, sizeOut: nil)
}

/// Valid as long as the description.
public func CMAudioFormatDescriptionGetMostCompatibleFormat(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? {
  CMAudioFormatDescriptionGetFormatList(desc, sizeOut: nil)
}
