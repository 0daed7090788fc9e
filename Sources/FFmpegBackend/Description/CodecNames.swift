import CFFmpeg

/// Apple's four-character codes for codecs.
enum CodecNames {
  /// - Parameter tag: the container's own, which says more (`avc3`, `hev1`) when it is one of Apple's.
  static func fourCC(of codec: AVCodecID, tag: UInt32, isMovie: Bool) -> UInt32 {
    if isMovie, tag != 0 { return tag.byteSwapped }
    return codes[codec.rawValue] ?? 0
  }

  private static let codes: [UInt32: UInt32] = [
    AV_CODEC_ID_H264.rawValue: code("avc1"), AV_CODEC_ID_HEVC.rawValue: code("hvc1"),
    AV_CODEC_ID_VP8.rawValue: code("vp08"), AV_CODEC_ID_VP9.rawValue: code("vp09"),
    AV_CODEC_ID_AV1.rawValue: code("av01"), AV_CODEC_ID_MPEG4.rawValue: code("mp4v"),
    AV_CODEC_ID_MJPEG.rawValue: code("jpeg"), AV_CODEC_ID_PNG.rawValue: code("png "),
    AV_CODEC_ID_H263.rawValue: code("h263"), AV_CODEC_ID_PRORES.rawValue: code("apcn"),
    AV_CODEC_ID_MPEG1VIDEO.rawValue: code("mp1v"),
    AV_CODEC_ID_MPEG2VIDEO.rawValue: code("mp2v"),
    AV_CODEC_ID_AAC.rawValue: code("aac "), AV_CODEC_ID_MP3.rawValue: code(".mp3"),
    AV_CODEC_ID_MP2.rawValue: code(".mp2"), AV_CODEC_ID_MP1.rawValue: code(".mp1"),
    AV_CODEC_ID_AC3.rawValue: code("ac-3"), AV_CODEC_ID_EAC3.rawValue: code("ec-3"),
    AV_CODEC_ID_ALAC.rawValue: code("alac"), AV_CODEC_ID_FLAC.rawValue: code("flac"),
    AV_CODEC_ID_OPUS.rawValue: code("opus"), AV_CODEC_ID_VORBIS.rawValue: code("vorb"),
    AV_CODEC_ID_AMR_NB.rawValue: code("samr"),
    AV_CODEC_ID_AMR_WB.rawValue: code("sawb"), AV_CODEC_ID_GSM_MS.rawValue: code("agsm"),
    AV_CODEC_ID_PCM_ALAW.rawValue: code("alaw"),
    AV_CODEC_ID_PCM_MULAW.rawValue: code("ulaw"),
    AV_CODEC_ID_PCM_S16LE.rawValue: code("lpcm"),
    AV_CODEC_ID_PCM_S16BE.rawValue: code("lpcm"),
    AV_CODEC_ID_PCM_S24LE.rawValue: code("lpcm"),
    AV_CODEC_ID_PCM_S24BE.rawValue: code("lpcm"),
    AV_CODEC_ID_PCM_S32LE.rawValue: code("lpcm"),
    AV_CODEC_ID_PCM_S32BE.rawValue: code("lpcm"),
    AV_CODEC_ID_PCM_F32LE.rawValue: code("lpcm"),
    AV_CODEC_ID_PCM_F32BE.rawValue: code("lpcm"),
    AV_CODEC_ID_PCM_F64LE.rawValue: code("lpcm"),
    AV_CODEC_ID_PCM_F64BE.rawValue: code("lpcm"),
    AV_CODEC_ID_PCM_U8.rawValue: code("lpcm"), AV_CODEC_ID_PCM_S8.rawValue: code("lpcm"),
    AV_CODEC_ID_WEBVTT.rawValue: code("wvtt"), AV_CODEC_ID_MOV_TEXT.rawValue: code("tx3g"),
    AV_CODEC_ID_EIA_608.rawValue: code("c608"), AV_CODEC_ID_TTML.rawValue: code("stpp"),
  ]
}
