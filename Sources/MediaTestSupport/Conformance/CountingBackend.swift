package import MediaEngine
package import MediaIO
package import MediaRuntime

/// A backend that hands everything to another one and counts the sound that its decoders give.
package final class CountingBackend: MediaBackend {
  package struct Sound: Sendable {
    package var samples: Int64 = 0
    package var rate = 0
  }

  private let inner: any MediaBackend
  private let sounds = Lock<[Int: Sound]>([:])

  package init(_ inner: any MediaBackend) {
    self.inner = inner
  }

  /// Decoded sound by `MediaTrack.index`.
  package var sound: [Int: Sound] { sounds.withLock { $0 } }

  package func demuxer(_ source: any ByteSource, hints: SourceHints) -> any Demuxer {
    inner.demuxer(source, hints: hints)
  }

  package func videoDecoder(for track: MediaTrack, threads: Int, _ generation: Generation) throws(MediaError)
    -> any VideoDecoder
  {
    try inner.videoDecoder(for: track, threads: threads, generation)
  }

  package func audioDecoder(for track: MediaTrack, _ generation: Generation) throws(MediaError) -> any AudioDecoder {
    CountingDecoder(try inner.audioDecoder(for: track, generation)) { [self] block in
      sounds.withLock {
        $0[track.index, default: Sound()].samples += Int64(block.sampleCount)
        $0[track.index, default: Sound()].rate = block.format.sampleRate
      }
    }
  }

  package func subtitleDecoder(for track: MediaTrack) throws(MediaError) -> any SubtitleDecoder {
    try inner.subtitleDecoder(for: track)
  }

  package func audioConverter(from: AudioFormat, to: AudioDeviceFormat, _ processing: SoundProcessing)
    throws(MediaError) -> any AudioConverter
  {
    try inner.audioConverter(from: from, to: to, processing)
  }

  package func audioStretcher(_ format: AudioDeviceFormat, rate: Double, algorithm: PitchAlgorithm)
    throws(MediaError) -> any AudioStretcher
  {
    try inner.audioStretcher(format, rate: rate, algorithm: algorithm)
  }
}

private final class CountingDecoder: AudioDecoder {
  private let inner: any AudioDecoder
  private let count: @Sendable (AudioBlock) -> Void

  init(_ inner: any AudioDecoder, count: @escaping @Sendable (AudioBlock) -> Void) {
    self.inner = inner
    self.count = count
  }

  var name: String { inner.name }
  func send(_ packet: MediaPacket) throws(MediaError) { try inner.send(packet) }
  func finish() { inner.finish() }

  func receive() throws(MediaError) -> Decoded<AudioBlock> {
    let decoded = try inner.receive()
    if case .output(let block) = decoded { count(block) }
    return decoded
  }
}
