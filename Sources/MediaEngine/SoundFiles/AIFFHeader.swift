/// The chunks before the samples of an AIFF file, or of an AIFF-C one (Apple, Audio Interchange File Format AIFF-C, 1991).
struct AIFFHeader: LinearHeader {
  let channelCount: Int
  let sampleRate: Int
  let sampleFormat: SampleFormat
  let isCompressible: Bool
  /// A chunk's size has 32 bits.
  let limit = Int64(UInt32.max) - 1_024

  func bytes(dataSize: Int64) -> [UInt8] {
    let frames = dataSize / Int64(max(channelCount * sampleFormat.byteCount, 1))
    var common = ByteText()
    common.big(Int16(clamping: channelCount))
    common.big(UInt32(clamping: frames))
    common.big(Int16(clamping: sampleFormat.bits))
    common.raw(Self.extended(sampleRate))
    if isCompressible {
      let (code, name) = compression
      common.text(code)
      common.raw([UInt8(clamping: name.utf8.count)])
      common.text(name)
      if name.utf8.count % 2 == 0 { common.raw([0]) }
    }
    var body = ByteText()
    body.text(isCompressible ? "AIFC" : "AIFF")
    if isCompressible {
      body.text("FVER")
      body.big(UInt32(4))
      body.big(UInt32(0xa280_5140))
    }
    body.text("COMM")
    body.big(UInt32(clamping: common.bytes.count))
    body.raw(common.bytes)
    body.text("SSND")
    body.big(UInt32(clamping: dataSize + 8))
    body.big(UInt32(0))
    body.big(UInt32(0))
    var out = ByteText()
    out.text("FORM")
    out.big(UInt32(clamping: Int64(body.bytes.count) + dataSize + dataSize % 2))
    out.raw(body.bytes)
    return out.bytes
  }

  private var compression: (String, String) {
    switch (sampleFormat.kind, sampleFormat.bits) {
    case (.float, 32): ("fl32", "32-bit floating point")
    case (.float, _): ("fl64", "64-bit floating point")
    default: sampleFormat.isBigEndian || sampleFormat.bits == 8 ? ("NONE", "not compressed") : ("sowt", "little-endian")
    }
  }

  /// An 80-bit number of IEEE 754 as SANE has it.
  private static func extended(_ number: Int) -> [UInt8] {
    let value = UInt64(max(number, 1))
    let shift = value.leadingZeroBitCount
    var out = ByteText()
    out.big(UInt16(16_383 + 63 - shift))
    out.big(value << UInt64(shift))
    return out.bytes
  }
}
