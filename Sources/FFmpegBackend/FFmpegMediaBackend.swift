package import MediaEngine
package import MediaIO
package import MediaRuntime

/// The production back end: containers, codecs and conversions by FFmpeg's libraries.
package final class FFmpegMediaBackend: MediaBackend {
  package init() {}

  package func demuxer(_ source: any ByteSource, hints: SourceHints) -> any Demuxer {
    FFmpegDemuxer(source, hints: hints)
  }

  package func videoDecoder(for track: MediaTrack, threads: Int, _ generation: Generation) throws(MediaError)
    -> any VideoDecoder
  {
    try FFmpegVideoDecoder(track, threads: threads, generation)
  }

  package func audioDecoder(for track: MediaTrack, _ generation: Generation) throws(MediaError) -> any AudioDecoder {
    try FFmpegAudioDecoder(track, generation)
  }

  package func audioConverter(from: AudioFormat, to: AudioDeviceFormat) throws(MediaError) -> any AudioConverter {
    try SoundConverter(from: from, to: to)
  }
}
