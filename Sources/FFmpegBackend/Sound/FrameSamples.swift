import CFFmpeg
import MediaEngine

/// The samples of a decoded frame, or its first ones.
package final class FrameSamples: AudioSamples {
  let box: FrameBox
  let count: Int

  init(_ box: FrameBox, count: Int) {
    self.box = box
    self.count = count
  }

  var channels: Int { Int(max(box.frame.pointee.ch_layout.nb_channels, 0)) }
  var sampleFormat: AVSampleFormat { AVSampleFormat(box.frame.pointee.format) }

  package func copyInterleaved(_ into: UnsafeMutableBufferPointer<Float>) {
    let channels = channels
    guard channels > 0, into.count >= count * channels else { return }
    let isPlanar = av_sample_fmt_is_planar(sampleFormat) != 0
    for channel in 0..<channels {
      guard let plane = box.frame.pointee.extended_data[isPlanar ? channel : 0] else { return }
      let first = isPlanar ? 0 : channel
      let step = isPlanar ? 1 : channels
      let raw = UnsafeRawPointer(plane)
      switch av_get_packed_sample_fmt(sampleFormat) {
      case AV_SAMPLE_FMT_U8:
        copy(raw.assumingMemoryBound(to: UInt8.self), first, step, channel, channels, into) { (Float($0) - 128) / 128 }
      case AV_SAMPLE_FMT_S16:
        copy(raw.assumingMemoryBound(to: Int16.self), first, step, channel, channels, into) { Float($0) / 32_768 }
      case AV_SAMPLE_FMT_S32:
        copy(raw.assumingMemoryBound(to: Int32.self), first, step, channel, channels, into) {
          Float($0) / 2_147_483_648
        }
      case AV_SAMPLE_FMT_S64:
        copy(raw.assumingMemoryBound(to: Int64.self), first, step, channel, channels, into) {
          Float($0) / 9_223_372_036_854_775_808
        }
      case AV_SAMPLE_FMT_FLT:
        copy(raw.assumingMemoryBound(to: Float.self), first, step, channel, channels, into) { Self.usable($0) }
      case AV_SAMPLE_FMT_DBL:
        copy(raw.assumingMemoryBound(to: Double.self), first, step, channel, channels, into) { Self.usable(Float($0)) }
      default: return
      }
    }
  }

  /// Media may hold any bits for a number. What is none, or lies so far beyond full scale that sums of it could become
  /// infinite, is silence: also in media that keep whole numbers of 32 bits as floats, no sample lies there.
  @inline(__always)
  private static func usable(_ sample: Float) -> Float { abs(sample) <= 4_294_967_296 ? sample : 0 }

  @inline(__always)
  private func copy<Sample>(
    _ source: UnsafePointer<Sample>, _ first: Int, _ step: Int, _ channel: Int, _ channels: Int,
    _ into: UnsafeMutableBufferPointer<Float>, _ convert: (Sample) -> Float
  ) {
    for index in 0..<count { into[index * channels + channel] = convert(source[first + index * step]) }
  }

  package func checksum() -> UInt64 {
    let digest = Digest()
    forEachRun { digest.add($0) }
    return digest.finish()
  }

  /// The bytes as they would stand in a WAVE file of the decoder's own sample format.
  package func forEachRun(_ body: (UnsafeRawBufferPointer) -> Void) {
    let width = Int(av_get_bytes_per_sample(sampleFormat))
    guard width > 0, channels > 0 else { return }
    guard av_sample_fmt_is_planar(sampleFormat) != 0, channels > 1 else {
      guard let plane = box.frame.pointee.extended_data[0] else { return }
      return body(UnsafeRawBufferPointer(start: plane, count: count * channels * width))
    }
    var run = [UInt8](repeating: 0, count: count * channels * width)
    for channel in 0..<channels {
      guard let plane = box.frame.pointee.extended_data[channel] else { return }
      for index in 0..<count {
        for byte in 0..<width { run[(index * channels + channel) * width + byte] = plane[index * width + byte] }
      }
    }
    run.withUnsafeBytes(body)
  }
}
