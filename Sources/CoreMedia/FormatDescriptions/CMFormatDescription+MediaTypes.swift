extension CMFormatDescription {
  /// The kind of media.
  public struct MediaType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: CMMediaType

    public init(rawValue: CMMediaType) {
      self.rawValue = rawValue
    }

    public var description: String { "'\(rawValue.characters)'" }

    public static let video = MediaType(rawValue: kCMMediaType_Video)
    public static let audio = MediaType(rawValue: kCMMediaType_Audio)
    public static let muxed = MediaType(rawValue: kCMMediaType_Muxed)
    public static let text = MediaType(rawValue: kCMMediaType_Text)
    public static let closedCaption = MediaType(rawValue: kCMMediaType_ClosedCaption)
    public static let subtitle = MediaType(rawValue: kCMMediaType_Subtitle)
    public static let timeCode = MediaType(rawValue: kCMMediaType_TimeCode)
    public static let metadata = MediaType(rawValue: kCMMediaType_Metadata)
    public static let taggedBufferGroup = MediaType(rawValue: kCMMediaType_TaggedBufferGroup)
  }

  /// The codec, or the format of uncompressed media.
  public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: FourCharCode

    public init(rawValue: FourCharCode) {
      self.rawValue = rawValue
    }

    public var description: String { "'\(rawValue.characters)'" }

    public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
    public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)
    public static let hevcWithAlpha = MediaSubType(rawValue: kCMVideoCodecType_HEVCWithAlpha)
    public static let dolbyVisionHEVC = MediaSubType(rawValue: kCMVideoCodecType_DolbyVisionHEVC)
    public static let h263 = MediaSubType(rawValue: kCMVideoCodecType_H263)
    public static let jpeg = MediaSubType(rawValue: kCMVideoCodecType_JPEG)
    public static let jpeg_OpenDML = MediaSubType(rawValue: kCMVideoCodecType_JPEG_OpenDML)
    public static let mpeg4Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG4Video)
    public static let mpeg2Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG2Video)
    public static let mpeg1Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG1Video)
    public static let vp9 = MediaSubType(rawValue: kCMVideoCodecType_VP9)
    public static let av1 = MediaSubType(rawValue: kCMVideoCodecType_AV1)
    public static let animation = MediaSubType(rawValue: kCMVideoCodecType_Animation)
    public static let cinepak = MediaSubType(rawValue: kCMVideoCodecType_Cinepak)
    public static let sorensonVideo = MediaSubType(rawValue: kCMVideoCodecType_SorensonVideo)
    public static let sorensonVideo3 = MediaSubType(rawValue: kCMVideoCodecType_SorensonVideo3)
    public static let dvcNTSC = MediaSubType(rawValue: kCMVideoCodecType_DVCNTSC)
    public static let dvcPAL = MediaSubType(rawValue: kCMVideoCodecType_DVCPAL)
    public static let proRes4444XQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes4444XQ)
    public static let proRes4444 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes4444)
    public static let proRes422HQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422HQ)
    public static let proRes422 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422)
    public static let proRes422LT = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422LT)
    public static let proRes422Proxy = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422Proxy)
    public static let proResRAW = MediaSubType(rawValue: kCMVideoCodecType_AppleProResRAW)
    public static let proResRAWHQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProResRAWHQ)

    public static let pixelFormat_32ARGB = MediaSubType(rawValue: kCVPixelFormatType_32ARGB)
    public static let pixelFormat_32BGRA = MediaSubType(rawValue: kCVPixelFormatType_32BGRA)
    public static let pixelFormat_24RGB = MediaSubType(rawValue: kCVPixelFormatType_24RGB)
    public static let pixelFormat_422YpCbCr8 = MediaSubType(rawValue: kCVPixelFormatType_422YpCbCr8)
    public static let pixelFormat_422YpCbCr8_yuvs = MediaSubType(rawValue: kCVPixelFormatType_422YpCbCr8_yuvs)
    public static let pixelFormat_444YpCbCr8 = MediaSubType(rawValue: kCVPixelFormatType_444YpCbCr8)
    public static let pixelFormat_420YpCbCr8BiPlanarVideoRange = MediaSubType(
      rawValue: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    public static let pixelFormat_420YpCbCr8BiPlanarFullRange = MediaSubType(
      rawValue: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)

    public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
    public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
    public static let mpeg4AAC_HE = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE)
    public static let mpeg4AAC_HE_V2 = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE_V2)
    public static let mpeg4AAC_LD = MediaSubType(rawValue: kAudioFormatMPEG4AAC_LD)
    public static let mpeg4AAC_ELD = MediaSubType(rawValue: kAudioFormatMPEG4AAC_ELD)
    public static let ac3 = MediaSubType(rawValue: kAudioFormatAC3)
    public static let enhancedAC3 = MediaSubType(rawValue: kAudioFormatEnhancedAC3)
    public static let mpegLayer1 = MediaSubType(rawValue: kAudioFormatMPEGLayer1)
    public static let mpegLayer2 = MediaSubType(rawValue: kAudioFormatMPEGLayer2)
    public static let mpegLayer3 = MediaSubType(rawValue: kAudioFormatMPEGLayer3)
    public static let appleLossless = MediaSubType(rawValue: kAudioFormatAppleLossless)
    public static let flac = MediaSubType(rawValue: kAudioFormatFLAC)
    public static let opus = MediaSubType(rawValue: kAudioFormatOpus)
    public static let uLaw = MediaSubType(rawValue: kAudioFormatULaw)
    public static let aLaw = MediaSubType(rawValue: kAudioFormatALaw)
    public static let amr = MediaSubType(rawValue: kAudioFormatAMR)
    public static let amr_WB = MediaSubType(rawValue: kAudioFormatAMR_WB)
    public static let iLBC = MediaSubType(rawValue: kAudioFormatiLBC)
    public static let appleIMA4 = MediaSubType(rawValue: kAudioFormatAppleIMA4)
    public static let microsoftGSM = MediaSubType(rawValue: kAudioFormatMicrosoftGSM)
    public static let mpegD_USAC = MediaSubType(rawValue: kAudioFormatMPEGD_USAC)

    public static let mpeg1System = MediaSubType(rawValue: kCMMuxedStreamType_MPEG1System)
    public static let mpeg2Transport = MediaSubType(rawValue: kCMMuxedStreamType_MPEG2Transport)
    public static let mpeg2Program = MediaSubType(rawValue: kCMMuxedStreamType_MPEG2Program)
    public static let dv = MediaSubType(rawValue: kCMMuxedStreamType_DV)
    public static let cea608 = MediaSubType(rawValue: kCMClosedCaptionFormatType_CEA608)
    public static let cea708 = MediaSubType(rawValue: kCMClosedCaptionFormatType_CEA708)
    public static let atsc = MediaSubType(rawValue: kCMClosedCaptionFormatType_ATSC)
    public static let qt = MediaSubType(rawValue: kCMTextFormatType_QT)
    public static let mobile3GPP = MediaSubType(rawValue: kCMTextFormatType_3G)
    public static let webVTT = MediaSubType(rawValue: kCMSubtitleFormatType_WebVTT)
    public static let timeCode32 = MediaSubType(rawValue: kCMTimeCodeFormatType_TimeCode32)
    public static let timeCode64 = MediaSubType(rawValue: kCMTimeCodeFormatType_TimeCode64)
    public static let counter32 = MediaSubType(rawValue: kCMTimeCodeFormatType_Counter32)
    public static let counter64 = MediaSubType(rawValue: kCMTimeCodeFormatType_Counter64)
    public static let icy = MediaSubType(rawValue: kCMMetadataFormatType_ICY)
    public static let id3 = MediaSubType(rawValue: kCMMetadataFormatType_ID3)
    public static let boxed = MediaSubType(rawValue: kCMMetadataFormatType_Boxed)
    public static let emsg = MediaSubType(rawValue: kCMMetadataFormatType_EMSG)
  }
}
