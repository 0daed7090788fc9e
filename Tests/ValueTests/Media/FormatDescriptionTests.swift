import CoreMedia
import Foundation
import Testing

@Suite struct FormatDescriptionTests {
  private func video(_ extensions: CFDictionary? = nil, width: Int32 = 720) throws -> CMFormatDescription {
    var description: CMVideoFormatDescription?
    let status = CMVideoFormatDescriptionCreate(
      allocator: kCFAllocatorDefault, codecType: kCMVideoCodecType_H264, width: width, height: 576,
      extensions: extensions, formatDescriptionOut: &description)
    #expect(status == noErr)
    return try #require(description)
  }

  @Test func codes_areApples() throws {
    #expect(CMFormatDescription.MediaType.video.rawValue == 0x7669_6465)
    #expect(CMFormatDescription.MediaType.subtitle.description == "'sbtl'")
    #expect(CMFormatDescription.MediaSubType.hevc.rawValue.characters == "hvc1")
    let description = try video()
    #expect(CMFormatDescriptionGetMediaType(description) == kCMMediaType_Video)
    #expect(CMFormatDescriptionGetMediaSubType(description) == kCMVideoCodecType_H264)
    #expect(CMVideoFormatDescriptionGetDimensions(description).width == 720)
    #expect(CMFormatDescriptionGetExtensions(description) == nil)
  }

  @Test func equality_isByValue() throws {
    let extensions: [String: Any] = ["a": 1, "SampleDescriptionExtensionAtoms": ["avcC": Data([1])], "l": [1, "x"]]
    let boxed: [String: Any] = [
      "a": NSNumber(value: 1.0), "SampleDescriptionExtensionAtoms": ["avcC": Data([1])] as [String: Any],
      "l": [NSNumber(value: 1), "x"] as [Any],
    ]
    let (a, b) = (try video(extensions), try video(boxed))
    #expect(a == b && a.hashValue == b.hashValue && CMFormatDescriptionEqual(a, otherFormatDescription: b))
    let (wider, bare) = (try video(width: 721), try video())
    #expect(a != wider && a != bare)
    #expect(!CMFormatDescriptionEqual(a, otherFormatDescription: nil))
  }

  @Test func equality_canIgnoreExtensionsAndAtoms() throws {
    let a = try video(["a": 1, "SampleDescriptionExtensionAtoms": ["avcC": Data([1]), "pasp": Data([2])]])
    let b = try video(["a": 2, "SampleDescriptionExtensionAtoms": ["avcC": Data([1]), "pasp": Data([3])]])
    #expect(!a.equalTo(b, extensionKeysToIgnore: [.init(rawValue: "a")]))
    #expect(
      CMFormatDescriptionEqualIgnoringExtensionKeys(
        a, otherFormatDescription: b, extensionKeysToIgnore: ["a"],
        sampleDescriptionExtensionAtomKeysToIgnore: ["pasp"]))
  }

  @Test func presentationDimensions_areApertureTimesAspect() throws {
    let description = try video([
      kCMFormatDescriptionExtension_CleanAperture: [
        kCMFormatDescriptionKey_CleanApertureWidthRational: [704, 1], kCMFormatDescriptionKey_CleanApertureHeight: 576,
        kCMFormatDescriptionKey_CleanApertureHorizontalOffset: 4,
        kCMFormatDescriptionKey_CleanApertureVerticalOffset: 0,
      ] as [String: Any],
      kCMFormatDescriptionExtension_PixelAspectRatio: [
        kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: 12,
        kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: 11,
      ] as [String: Any],
    ])
    #expect(description.presentationDimensions() == CGSize(width: 768, height: 576))
    #expect(description.presentationDimensions(usePixelAspectRatio: false) == CGSize(width: 704, height: 576))
    #expect(description.presentationDimensions(useCleanAperture: false).width.rounded() == 785)
    #expect(description.cleanAperture(originIsAtTopLeft: true) == CGRect(x: 12, y: 0, width: 704, height: 576))
  }

  @Test func apertureBeyondThePicture_isCutThere() throws {
    let aperture: [String: Any] = [
      kCMFormatDescriptionKey_CleanApertureWidth: 704, kCMFormatDescriptionKey_CleanApertureHeight: 576,
      kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational: [8, 2],
      kCMFormatDescriptionKey_CleanApertureVerticalOffset: 10,
    ]
    let description = try video([kCMFormatDescriptionExtension_CleanAperture: aperture])
    #expect(description.cleanAperture(originIsAtTopLeft: true) == CGRect(x: 12, y: 10, width: 704, height: 566))
    #expect(
      CMVideoFormatDescriptionGetCleanAperture(description, originIsAtTopLeft: false)
        == CGRect(x: 12, y: 0, width: 704, height: 566))
    #expect(description.presentationDimensions() == CGSize(width: 704, height: 566))
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, 720, 576, kCVPixelFormatType_420YpCbCr8Planar, nil, &buffer)
    let image = try #require(buffer)
    CVBufferSetAttachment(image, kCVImageBufferCleanApertureKey, aperture, .shouldPropagate)
    #expect(CVImageBufferGetCleanRect(image) == CGRect(x: 12, y: 10, width: 704, height: 566))
    let far: [String: Any] = ["Width": 4, "Height": 4, "CleanApertureVerticalOffsetRational": [1000, 1]]
    #expect(
      try video([kCMFormatDescriptionExtension_CleanAperture: far]).presentationDimensions()
        == CGSize(width: 720, height: 576))
  }

  @Test func nonsenseGeometry_givesTheWholePicture() throws {
    let description = try video([
      kCMFormatDescriptionExtension_CleanAperture: ["Width": 0, "CleanApertureHeightRational": [1, 0]] as [String: Any],
      kCMFormatDescriptionExtension_PixelAspectRatio: ["HorizontalSpacing": 0, "VerticalSpacing": -1],
    ])
    #expect(description.presentationDimensions() == CGSize(width: 720, height: 576))
  }

  @Test func ofAnImageBuffer_matchesIt() throws {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 32, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &buffer)
    let image = try #require(buffer)
    CVBufferSetAttachment(
      image, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_2020, .shouldPropagate)
    var made: CMVideoFormatDescription?
    CMVideoFormatDescriptionCreateForImageBuffer(allocator: nil, imageBuffer: image, formatDescriptionOut: &made)
    let description = try #require(made)
    #expect(description.matchesImageBuffer(image) && description.dimensions.height == 32)
    #expect(description.extensions[.fullRangeVideo]?.propertyListRepresentation as? Bool == true)
    CVBufferRemoveAllAttachments(image)
    #expect(!CMVideoFormatDescriptionMatchesImageBuffer(description, imageBuffer: image))
  }

  @Test func audio_keepsStreamLayoutAndCookieAtFixedAddresses() throws {
    var stream = AudioStreamBasicDescription.linearPCM(sampleRate: 48000, channels: 6, bytes: 4, isFloat: true)
    let layout = ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
    let cookie = Data([1, 2, 3])
    var made: CMAudioFormatDescription?
    let status = layout.withUnsafePointer { layoutPointer in
      cookie.withUnsafeBytes { cookie in
        CMAudioFormatDescriptionCreate(
          allocator: kCFAllocatorDefault, asbd: &stream, layoutSize: layout.sizeInBytes, layout: layoutPointer,
          magicCookieSize: cookie.count, magicCookie: cookie.baseAddress, extensions: nil, formatDescriptionOut: &made)
      }
    }
    let description = try #require(made)
    #expect(status == noErr && description.audioStreamBasicDescription == stream)
    #expect(stream.mBytesPerFrame == 24 && stream.mFormatFlags == kAudioFormatFlagsNativeFloatPacked)
    #expect(CMAudioFormatDescriptionGetStreamBasicDescription(description)?.pointee == stream)
    var size = 0
    #expect(
      CMAudioFormatDescriptionGetChannelLayout(description, sizeOut: &size)?.pointee.mChannelLayoutTag
        == kAudioChannelLayoutTag_MPEG_5_1_A)
    #expect(size == 32 && description.audioChannelLayout?.channelCount == 6)
    let bytes = CMAudioFormatDescriptionGetMagicCookie(description, sizeOut: &size)
    #expect(bytes.map { Data(bytes: $0, count: size) } == cookie && description.magicCookie == cookie)
    #expect(
      description
        == (try CMFormatDescription(audioStreamBasicDescription: stream, layout: layout, magicCookie: cookie)))
    #expect(description != (try CMFormatDescription(audioStreamBasicDescription: stream)))
    #expect(description.audioFormatList.first?.mChannelLayoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
    #expect(description.dimensions == CMVideoDimensions())
  }

  @Test func layoutCutShort_losesDescriptionsNotMemory() throws {
    let whole = ManagedAudioChannelLayout(
      channelDescriptions: [kAudioChannelLabel_Left, kAudioChannelLabel_Right].map {
        AudioChannelDescription(mChannelLabel: $0, mChannelFlags: [], mCoordinates: (0, 0, 0))
      })
    #expect(whole.channelCount == 2 && whole.channelDescriptions.map(\.mChannelLabel) == [1, 2])
    let cut = whole.withUnsafePointer { ManagedAudioChannelLayout($0, size: 32) }
    #expect(cut?.channelDescriptions.count == 1)
    #expect(whole.withUnsafePointer { ManagedAudioChannelLayout($0, size: 4) } == nil)
  }

  @Test func badParameters_giveCodes() {
    var description: CMFormatDescription?
    #expect(
      CMVideoFormatDescriptionCreate(
        allocator: nil, codecType: kCMVideoCodecType_H264, width: -1, height: 1, extensions: nil,
        formatDescriptionOut: &description) == kCMFormatDescriptionError_InvalidParameter)
    #expect(throws: NSError.self) {
      try CMFormatDescription(videoCodecType: .h264, width: .max, height: 1)
    }
  }
}
