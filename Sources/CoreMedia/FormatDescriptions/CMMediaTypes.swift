// The codes of kinds of media and of their codecs.

public typealias CMMediaType = FourCharCode
public typealias CMVideoCodecType = FourCharCode
public typealias CMAudioCodecType = FourCharCode
public typealias CMMuxedStreamType = FourCharCode
public typealias CMClosedCaptionFormatType = FourCharCode
public typealias CMTextFormatType = FourCharCode
public typealias CMSubtitleFormatType = FourCharCode
public typealias CMTimeCodeFormatType = FourCharCode
public typealias CMMetadataFormatType = FourCharCode

public let kCMMediaType_Video: CMMediaType = FourCharCode(characters: "vide")
public let kCMMediaType_Audio: CMMediaType = FourCharCode(characters: "soun")
public let kCMMediaType_Muxed: CMMediaType = FourCharCode(characters: "muxx")
public let kCMMediaType_Text: CMMediaType = FourCharCode(characters: "text")
public let kCMMediaType_ClosedCaption: CMMediaType = FourCharCode(characters: "clcp")
public let kCMMediaType_Subtitle: CMMediaType = FourCharCode(characters: "sbtl")
public let kCMMediaType_TimeCode: CMMediaType = FourCharCode(characters: "tmcd")
public let kCMMediaType_Metadata: CMMediaType = FourCharCode(characters: "meta")
public let kCMMediaType_TaggedBufferGroup: CMMediaType = FourCharCode(characters: "tbgr")

public let kCMVideoCodecType_422YpCbCr8: CMVideoCodecType = FourCharCode(characters: "2vuy")
public let kCMVideoCodecType_Animation: CMVideoCodecType = FourCharCode(characters: "rle ")
public let kCMVideoCodecType_Cinepak: CMVideoCodecType = FourCharCode(characters: "cvid")
public let kCMVideoCodecType_JPEG: CMVideoCodecType = FourCharCode(characters: "jpeg")
public let kCMVideoCodecType_JPEG_OpenDML: CMVideoCodecType = FourCharCode(characters: "dmb1")
public let kCMVideoCodecType_JPEG_XL: CMVideoCodecType = FourCharCode(characters: "jxlc")
public let kCMVideoCodecType_SorensonVideo: CMVideoCodecType = FourCharCode(characters: "SVQ1")
public let kCMVideoCodecType_SorensonVideo3: CMVideoCodecType = FourCharCode(characters: "SVQ3")
public let kCMVideoCodecType_H263: CMVideoCodecType = FourCharCode(characters: "h263")
public let kCMVideoCodecType_H264: CMVideoCodecType = FourCharCode(characters: "avc1")
public let kCMVideoCodecType_HEVC: CMVideoCodecType = FourCharCode(characters: "hvc1")
public let kCMVideoCodecType_HEVCWithAlpha: CMVideoCodecType = FourCharCode(characters: "muxa")
public let kCMVideoCodecType_DolbyVisionHEVC: CMVideoCodecType = FourCharCode(characters: "dvh1")
public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = FourCharCode(characters: "mp4v")
public let kCMVideoCodecType_MPEG2Video: CMVideoCodecType = FourCharCode(characters: "mp2v")
public let kCMVideoCodecType_MPEG1Video: CMVideoCodecType = FourCharCode(characters: "mp1v")
public let kCMVideoCodecType_VP9: CMVideoCodecType = FourCharCode(characters: "vp09")
public let kCMVideoCodecType_AV1: CMVideoCodecType = FourCharCode(characters: "av01")
public let kCMVideoCodecType_DVCNTSC: CMVideoCodecType = FourCharCode(characters: "dvc ")
public let kCMVideoCodecType_DVCPAL: CMVideoCodecType = FourCharCode(characters: "dvcp")
public let kCMVideoCodecType_DVCProPAL: CMVideoCodecType = FourCharCode(characters: "dvpp")
public let kCMVideoCodecType_DVCPro50NTSC: CMVideoCodecType = FourCharCode(characters: "dv5n")
public let kCMVideoCodecType_DVCPro50PAL: CMVideoCodecType = FourCharCode(characters: "dv5p")
public let kCMVideoCodecType_DVCPROHD720p60: CMVideoCodecType = FourCharCode(characters: "dvhp")
public let kCMVideoCodecType_DVCPROHD720p50: CMVideoCodecType = FourCharCode(characters: "dvhq")
public let kCMVideoCodecType_DVCPROHD1080i60: CMVideoCodecType = FourCharCode(characters: "dvh6")
public let kCMVideoCodecType_DVCPROHD1080i50: CMVideoCodecType = FourCharCode(characters: "dvh5")
public let kCMVideoCodecType_DVCPROHD1080p30: CMVideoCodecType = FourCharCode(characters: "dvh3")
public let kCMVideoCodecType_DVCPROHD1080p25: CMVideoCodecType = FourCharCode(characters: "dvh2")
public let kCMVideoCodecType_AppleProRes4444XQ: CMVideoCodecType = FourCharCode(characters: "ap4x")
public let kCMVideoCodecType_AppleProRes4444: CMVideoCodecType = FourCharCode(characters: "ap4h")
public let kCMVideoCodecType_AppleProRes422HQ: CMVideoCodecType = FourCharCode(characters: "apch")
public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = FourCharCode(characters: "apcn")
public let kCMVideoCodecType_AppleProRes422LT: CMVideoCodecType = FourCharCode(characters: "apcs")
public let kCMVideoCodecType_AppleProRes422Proxy: CMVideoCodecType = FourCharCode(characters: "apco")
public let kCMVideoCodecType_AppleProResRAW: CMVideoCodecType = FourCharCode(characters: "aprn")
public let kCMVideoCodecType_AppleProResRAWHQ: CMVideoCodecType = FourCharCode(characters: "aprh")
public let kCMVideoCodecType_DisparityHEVC: CMVideoCodecType = FourCharCode(characters: "dish")
public let kCMVideoCodecType_DepthHEVC: CMVideoCodecType = FourCharCode(characters: "deph")

public let kCMMuxedStreamType_MPEG1System: CMMuxedStreamType = FourCharCode(characters: "mp1s")
public let kCMMuxedStreamType_MPEG2Transport: CMMuxedStreamType = FourCharCode(characters: "mp2t")
public let kCMMuxedStreamType_MPEG2Program: CMMuxedStreamType = FourCharCode(characters: "mp2p")
public let kCMMuxedStreamType_DV: CMMuxedStreamType = FourCharCode(characters: "dv  ")
public let kCMMuxedStreamType_EmbeddedDeviceScreenRecording: CMMuxedStreamType = FourCharCode(characters: "isr ")

public let kCMClosedCaptionFormatType_CEA608: CMClosedCaptionFormatType = FourCharCode(characters: "c608")
public let kCMClosedCaptionFormatType_CEA708: CMClosedCaptionFormatType = FourCharCode(characters: "c708")
public let kCMClosedCaptionFormatType_ATSC: CMClosedCaptionFormatType = FourCharCode(characters: "atcc")

public let kCMTextFormatType_QT: CMTextFormatType = FourCharCode(characters: "text")
public let kCMTextFormatType_3G: CMTextFormatType = FourCharCode(characters: "tx3g")

public let kCMSubtitleFormatType_3G: CMSubtitleFormatType = FourCharCode(characters: "tx3g")
public let kCMSubtitleFormatType_WebVTT: CMSubtitleFormatType = FourCharCode(characters: "wvtt")

public let kCMTimeCodeFormatType_TimeCode32: CMTimeCodeFormatType = FourCharCode(characters: "tmcd")
public let kCMTimeCodeFormatType_TimeCode64: CMTimeCodeFormatType = FourCharCode(characters: "tc64")
public let kCMTimeCodeFormatType_Counter32: CMTimeCodeFormatType = FourCharCode(characters: "cn32")
public let kCMTimeCodeFormatType_Counter64: CMTimeCodeFormatType = FourCharCode(characters: "cn64")

public let kCMMetadataFormatType_ICY: CMMetadataFormatType = FourCharCode(characters: "icy ")
public let kCMMetadataFormatType_ID3: CMMetadataFormatType = FourCharCode(characters: "id3 ")
public let kCMMetadataFormatType_Boxed: CMMetadataFormatType = FourCharCode(characters: "mebx")
public let kCMMetadataFormatType_EMSG: CMMetadataFormatType = FourCharCode(characters: "emsg")

public let kCMAudioCodecType_AAC_LCProtected: CMAudioCodecType = FourCharCode(characters: "paac")
public let kCMAudioCodecType_AAC_AudibleProtected: CMAudioCodecType = FourCharCode(characters: "aaac")
