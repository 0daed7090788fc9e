package import MediaIO
package import MediaRuntime

/// Makes demuxers, decoders, converters: FFmpeg's in production, scripted ones in tests.
package protocol MediaBackend: AnyObject, Sendable {
  func demuxer(_ source: any ByteSource, hints: SourceHints) -> any Demuxer

  /// - Parameter threads: how many threads it may use (from the process's budget; 1 under virtual time).
  /// - Throws: `decoderMissing`, `decoderOpenFailed`, `contentProtected`.
  func videoDecoder(for track: MediaTrack, threads: Int, _ generation: Generation) throws(MediaError)
    -> any VideoDecoder
  func audioDecoder(for track: MediaTrack, _ generation: Generation) throws(MediaError) -> any AudioDecoder
  /// - Throws: `decoderMissing`, `decoderOpenFailed`, `contentProtected`.
  func subtitleDecoder(for track: MediaTrack) throws(MediaError) -> any SubtitleDecoder
  /// - Throws: `conversionFailed` where a library that the processing needs is missing.
  func audioConverter(from: AudioFormat, to: AudioDeviceFormat, _ processing: SoundProcessing) throws(MediaError)
    -> any AudioConverter
  /// - Parameter rate: one of `PitchAlgorithm.keptRates`; 2 makes sound half as long.
  /// - Throws: `conversionFailed` where the library that it needs is missing.
  func audioStretcher(_ format: AudioDeviceFormat, rate: Double, algorithm: PitchAlgorithm) throws(MediaError)
    -> any AudioStretcher
}

extension MediaBackend {
  /// For back ends without subtitles.
  package func subtitleDecoder(for track: MediaTrack) throws(MediaError) -> any SubtitleDecoder {
    throw MediaError(
      .decoderMissing, "There is no decoder for the subtitles (\(track.codec.name)). Choose another track.")
  }
}

/// What is known of the bytes before they are read.
package struct SourceHints: Hashable, Sendable {
  /// File name extension in lower case, without the dot.
  package var pathExtension: String?
  /// Overrides name and content when given.
  package var mimeType: String?
  /// Exact duration and seeking wanted at the price of a scan (`AVURLAssetPreferPreciseDurationAndTimingKey`).
  package var prefersPreciseTiming = false
  /// The duration is to be measured, whatever the header states and whatever it costs.
  package var measuresTiming = false

  package init(
    pathExtension: String? = nil, mimeType: String? = nil, prefersPreciseTiming: Bool = false,
    measuresTiming: Bool = false
  ) {
    self.pathExtension = pathExtension
    self.mimeType = mimeType
    self.prefersPreciseTiming = prefersPreciseTiming
    self.measuresTiming = measuresTiming
  }
}
