package import MediaEngine
package import MediaIO
package import MediaRuntime

/// The production back end: containers, codecs and conversions by FFmpeg's libraries.
package final class FFmpegMediaBackend: MediaBackend {
  /// Whether pictures may be decoded by a device.
  package enum HardwareUse: Sendable {
    case off
    /// Whatever this computer has (`HardwareProbe`), with software for the rest.
    case probed
  }

  private let devices: [any HardwareDevice]

  package init(hardware: HardwareUse = .off) {
    devices = hardware == .off ? [] : HardwareProbe.devices
  }

  /// Decodes pictures on a device that a test made.
  package init(simulating device: SimulatedDevice) { devices = [device] }

  package func demuxer(_ source: any ByteSource, hints: SourceHints) -> any Demuxer {
    FFmpegDemuxer(source, hints: hints)
  }

  package func videoDecoder(for track: MediaTrack, threads: Int, _ generation: Generation) throws(MediaError)
    -> any VideoDecoder
  {
    try FFmpegVideoDecoder(track, threads: threads, devices: devices, generation)
  }

  package func audioDecoder(for track: MediaTrack, _ generation: Generation) throws(MediaError) -> any AudioDecoder {
    try FFmpegAudioDecoder(track, generation)
  }

  package func subtitleDecoder(for track: MediaTrack) throws(MediaError) -> any SubtitleDecoder {
    if let decoder = TextSubtitleDecoder(track) { return decoder }
    return try FFmpegSubtitleDecoder(track)
  }

  package func audioConverter(from: AudioFormat, to: AudioDeviceFormat, _ processing: SoundProcessing)
    throws(MediaError) -> any AudioConverter
  {
    try SoundConverter(from: from, to: to, processing)
  }

  package func audioStretcher(_ format: AudioDeviceFormat, rate: Double, algorithm: PitchAlgorithm)
    throws(MediaError) -> any AudioStretcher
  {
    try TempoStretcher(format, rate: rate, algorithm: algorithm)
  }
}
