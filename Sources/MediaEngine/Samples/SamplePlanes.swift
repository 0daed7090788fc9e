/// Where the samples of some channels lie in memory, interleaved or not. Valid as long as that memory.
package struct SamplePlanes {
  package let format: SampleFormat
  /// The first sample of each channel.
  package let channels: [UnsafeMutableRawPointer]
  /// Bytes from a channel's sample to its next one.
  package let stride: Int

  package init(format: SampleFormat, channels: [UnsafeMutableRawPointer], stride: Int) {
    self.format = format
    self.channels = channels
    self.stride = stride
  }

  /// Channels side by side in one piece of memory.
  package init(interleaved base: UnsafeMutableRawPointer, format: SampleFormat, channelCount: Int) {
    self.format = format
    channels = (0..<max(channelCount, 0)).map { base + $0 * format.byteCount }
    stride = format.byteCount * channelCount
  }

  /// The same from a frame on.
  package func advanced(by frames: Int) -> SamplePlanes {
    SamplePlanes(format: format, channels: channels.map { $0 + frames * stride }, stride: stride)
  }

  /// Copies as many channels as both have, converting where the formats differ.
  package func copy(to target: SamplePlanes, frames: Int) {
    for (from, to) in zip(channels, target.channels) { copy(from, to: to, of: target, frames: frames) }
  }

  /// Copies one channel into another place's channel.
  package func copy(channel: Int, to other: Int, of target: SamplePlanes, frames: Int) {
    guard channels.indices.contains(channel), target.channels.indices.contains(other) else { return }
    copy(channels[channel], to: target.channels[other], of: target, frames: frames)
  }

  /// Silence in one channel.
  package func clear(channel: Int, frames: Int) {
    guard channels.indices.contains(channel) else { return }
    var zero = 0.0
    withUnsafeMutablePointer(to: &zero) { zero in
      let silence = SamplePlanes(format: .float64, channels: [UnsafeMutableRawPointer(zero)], stride: 0)
      silence.copy(channel: 0, to: channel, of: self, frames: frames)
    }
  }

  /// Frames that are converted at once.
  private static let piece = 512

  private func copy(
    _ from: UnsafeMutableRawPointer, to: UnsafeMutableRawPointer, of target: SamplePlanes, frames: Int
  ) {
    guard frames > 0 else { return }
    let size = format.byteCount
    if format == target.format {
      guard stride != size || target.stride != size else { return to.copyMemory(from: from, byteCount: frames * size) }
      for frame in 0..<frames { (to + frame * target.stride).copyMemory(from: from + frame * stride, byteCount: size) }
      return
    }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.piece) { values in
      var done = 0
      while done < frames {
        let part = UnsafeMutableBufferPointer(rebasing: values[..<min(Self.piece, frames - done)])
        format.read(part, from: from + done * stride, stride: stride)
        target.format.write(part, to: to + done * target.stride, stride: target.stride)
        done += part.count
      }
    }
  }
}
