package import MediaEngine

/// The 116 bytes before the samples of a WAV file of 32-bit floats.
///
/// WAVE_FORMAT_EXTENSIBLE (Microsoft, mmreg.h). A `JUNK` chunk keeps room for `ds64`, so that a file that grows beyond
/// 4 GiB becomes an RF64 file (EBU Tech 3306) without being moved.
package struct WaveHeader: Sendable {
  package static let size = 116

  package let format: AudioDeviceFormat

  package init(_ format: AudioDeviceFormat) { self.format = format }

  package var frameSize: Int { format.channelCount * 4 }

  /// - Parameter dataSize: bytes of samples.
  package func bytes(dataSize: UInt64) -> [UInt8] {
    let riffSize = dataSize + UInt64(Self.size) - 8
    let isLarge = riffSize > UInt64(UInt32.max) - 1
    var out = Bytes()
    out.text(isLarge ? "RF64" : "RIFF")
    out.number(UInt32(clamping: isLarge ? UInt64(UInt32.max) : riffSize))
    out.text("WAVE")
    out.text(isLarge ? "ds64" : "JUNK")
    out.number(UInt32(28))
    out.number(isLarge ? riffSize : 0)
    out.number(isLarge ? dataSize : 0)
    out.number(isLarge ? dataSize / UInt64(frameSize) : 0)
    out.number(UInt32(0))
    out.text("fmt ")
    out.number(UInt32(40))
    out.number(UInt16(0xfffe))
    out.number(UInt16(clamping: format.channelCount))
    out.number(UInt32(clamping: format.sampleRate))
    out.number(UInt32(clamping: format.sampleRate * frameSize))
    out.number(UInt16(clamping: frameSize))
    out.number(UInt16(32))
    out.number(UInt16(22))
    out.number(UInt16(32))
    out.number(UInt32(truncatingIfNeeded: format.channelMask))
    out.number(UInt16(3))
    out.raw([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71])
    // Demanded for everything but integers: how many frames there are.
    out.text("fact")
    out.number(UInt32(4))
    out.number(UInt32(clamping: dataSize / UInt64(frameSize)))
    out.text("data")
    out.number(UInt32(clamping: isLarge ? UInt64(UInt32.max) : dataSize))
    return out.bytes
  }

  private struct Bytes {
    var bytes: [UInt8] = []
    mutating func text(_ text: String) { bytes += Array(text.utf8) }
    mutating func raw(_ values: [UInt8]) { bytes += values }
    mutating func number<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes += Array($0) }
    }
  }
}
