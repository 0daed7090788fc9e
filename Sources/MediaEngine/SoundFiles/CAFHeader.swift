/// The chunks before the samples of a Core Audio Format file (Apple, Core Audio Format Specification 1.0).
struct CAFHeader: LinearHeader {
  let channelCount: Int
  let sampleRate: Int
  let channelMask: UInt64
  let sampleFormat: SampleFormat
  let limit = Int64.max / 2

  func bytes(dataSize: Int64) -> [UInt8] {
    let frameSize = UInt32(clamping: channelCount * sampleFormat.byteCount)
    var out = ByteText()
    out.text("caff")
    out.big(UInt16(1))
    out.big(UInt16(0))
    out.text("desc")
    out.big(Int64(32))
    out.big(Double(sampleRate).bitPattern)
    out.text("lpcm")
    out.big(UInt32((sampleFormat.kind == .float ? 1 : 0) | (sampleFormat.isBigEndian ? 0 : 2)))
    out.big(frameSize)
    out.big(UInt32(1))
    out.big(UInt32(clamping: channelCount))
    out.big(UInt32(clamping: sampleFormat.bits))
    if channelMask.nonzeroBitCount == channelCount, channelMask <= UInt64(UInt32.max) {
      out.text("chan")
      out.big(Int64(12))
      // kCAFChannelLayoutTag_UseChannelBitmap
      out.big(UInt32(1 << 16))
      out.big(UInt32(channelMask))
      out.big(UInt32(0))
    }
    out.text("data")
    out.big(dataSize + 4)
    out.big(UInt32(0))
    return out.bytes
  }
}
