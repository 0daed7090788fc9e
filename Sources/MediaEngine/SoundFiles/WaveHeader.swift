/// The 116 bytes before the samples of a WAV file.
///
/// WAVE_FORMAT_EXTENSIBLE (Microsoft, mmreg.h). A `JUNK` chunk keeps room for `ds64`, so that a file that grows beyond
/// 4 GiB becomes an RF64 file (EBU Tech 3306) without being moved.
package struct WaveHeader: LinearHeader {
  package static let size = 116

  package let format: AudioDeviceFormat
  let sampleFormat: SampleFormat
  let limit = Int64.max

  /// Of 32-bit floats.
  package init(_ format: AudioDeviceFormat) { self.init(format, .float32) }

  /// - Parameter sampleFormat: little-endian; 8 bits are unsigned, all others signed.
  init(_ format: AudioDeviceFormat, _ sampleFormat: SampleFormat) {
    self.format = format
    self.sampleFormat = sampleFormat
  }

  package var frameSize: Int { format.channelCount * sampleFormat.byteCount }

  func bytes(dataSize: Int64) -> [UInt8] { bytes(dataSize: UInt64(max(dataSize, 0))) }

  /// - Parameter dataSize: bytes of samples.
  package func bytes(dataSize: UInt64) -> [UInt8] {
    let riffSize = dataSize + UInt64(Self.size) - 8
    let isLarge = riffSize > UInt64(UInt32.max) - 1
    let frames = dataSize / UInt64(max(frameSize, 1))
    var out = ByteText()
    out.text(isLarge ? "RF64" : "RIFF")
    out.little(UInt32(clamping: isLarge ? UInt64(UInt32.max) : riffSize))
    out.text("WAVE")
    out.text(isLarge ? "ds64" : "JUNK")
    out.little(UInt32(28))
    out.little(isLarge ? riffSize : 0)
    out.little(isLarge ? dataSize : 0)
    out.little(isLarge ? frames : 0)
    out.little(UInt32(0))
    out.text("fmt ")
    out.little(UInt32(40))
    out.little(UInt16(0xfffe))
    out.little(UInt16(clamping: format.channelCount))
    out.little(UInt32(clamping: format.sampleRate))
    out.little(UInt32(clamping: format.sampleRate * frameSize))
    out.little(UInt16(clamping: frameSize))
    out.little(UInt16(sampleFormat.bits))
    out.little(UInt16(22))
    out.little(UInt16(sampleFormat.bits))
    out.little(UInt32(truncatingIfNeeded: format.channelMask))
    out.little(UInt16(sampleFormat.kind == .float ? 3 : 1))
    out.raw([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71])
    // Demanded for everything but integers: how many frames there are.
    out.text("fact")
    out.little(UInt32(4))
    out.little(UInt32(clamping: frames))
    out.text("data")
    out.little(UInt32(clamping: isLarge ? UInt64(UInt32.max) : dataSize))
    return out.bytes
  }
}
