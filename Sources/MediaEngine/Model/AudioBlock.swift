package import CoreMedia
package import MediaIO

/// Decoded sound of one track at the track's own rate and layout, trimmed of priming and padding.
package struct AudioBlock: Sendable {
  /// Item time of the first sample, in samples of `format.sampleRate`.
  package var startSample: Int64
  package var sampleCount: Int
  package var format: AudioFormat
  package var generation: Generation
  package var storage: any AudioSamples

  package init(
    startSample: Int64, sampleCount: Int, format: AudioFormat, generation: Generation, storage: any AudioSamples
  ) {
    self.startSample = startSample
    self.sampleCount = sampleCount
    self.format = format
    self.generation = generation
    self.storage = storage
  }

  /// Item time of the first sample, exact.
  package var time: CMTime { CMTime(value: startSample, timescale: Int32(clamping: max(format.sampleRate, 1))) }
}

/// The samples of a block, in the decoder's own sample format; shared, never written.
package protocol AudioSamples: AnyObject, Sendable {
  /// Copies as interleaved 32-bit floats; `into` holds sampleCount × channelCount.
  func copyInterleaved(_ into: UnsafeMutableBufferPointer<Float>)
  /// The first 64 bits of MD5 over the samples in the decoder's own format, interleaved, for tests and conformance.
  /// Fakes may hash otherwise.
  func checksum() -> UInt64
}
