package import MediaEngine
package import MediaIO
package import MediaRuntime

/// A backend whose decoders take a scripted time for each packet, on virtual time.
package final class SlowBackend: MediaBackend {
  private let inner: any MediaBackend
  private let scheduler = Lock<VirtualScheduler?>(nil)
  private let cost: @Sendable (MediaPacket) -> Nanoseconds
  private let soundCost: @Sendable (MediaPacket) -> Nanoseconds

  /// - Parameters:
  ///   - cost: what decoding a packet of pictures takes; one that may be left out costs a tenth.
  ///   - soundCost: what decoding a packet of sound takes.
  package init(
    _ inner: any MediaBackend, cost: @escaping @Sendable (MediaPacket) -> Nanoseconds = { _ in .zero },
    soundCost: @escaping @Sendable (MediaPacket) -> Nanoseconds = { _ in .zero }
  ) {
    self.inner = inner
    self.cost = cost
    self.soundCost = soundCost
  }

  /// The scheduler whose time is spent; set before anything is decoded.
  package func spend(on scheduler: VirtualScheduler) { self.scheduler.withLock { $0 = scheduler } }

  package func demuxer(_ source: any ByteSource, hints: SourceHints) -> any Demuxer {
    inner.demuxer(source, hints: hints)
  }

  package func videoDecoder(for track: MediaTrack, threads: Int, _ generation: Generation) throws(MediaError)
    -> any VideoDecoder
  {
    let decoder = try inner.videoDecoder(for: track, threads: threads, generation)
    return SlowVideoDecoder(decoder, cost: cost, scheduler: scheduler.withLock { $0 })
  }

  package func audioDecoder(for track: MediaTrack, _ generation: Generation) throws(MediaError) -> any AudioDecoder {
    SlowAudioDecoder(
      try inner.audioDecoder(for: track, generation), cost: soundCost, scheduler: scheduler.withLock { $0 })
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

private final class SlowVideoDecoder: VideoDecoder {
  private let inner: any VideoDecoder
  private let cost: @Sendable (MediaPacket) -> Nanoseconds
  private let scheduler: VirtualScheduler?

  init(
    _ inner: any VideoDecoder, cost: @escaping @Sendable (MediaPacket) -> Nanoseconds, scheduler: VirtualScheduler?
  ) {
    self.inner = inner
    self.cost = cost
    self.scheduler = scheduler
  }

  var name: String { "slow \(inner.name)" }

  func send(_ packet: MediaPacket, skippingNonReference: Bool) throws(MediaError) {
    let isLeftOut = skippingNonReference && packet.isDisposable
    scheduler?.spend(isLeftOut ? Nanoseconds(cost(packet).count / 10) : cost(packet))
    try inner.send(packet, skippingNonReference: skippingNonReference)
  }

  func receive() throws(MediaError) -> Decoded<VideoFrame> { try inner.receive() }
  func finish() { inner.finish() }
  func flush(_ generation: Generation) { inner.flush(generation) }
}

private final class SlowAudioDecoder: AudioDecoder {
  private let inner: any AudioDecoder
  private let cost: @Sendable (MediaPacket) -> Nanoseconds
  private let scheduler: VirtualScheduler?

  init(
    _ inner: any AudioDecoder, cost: @escaping @Sendable (MediaPacket) -> Nanoseconds, scheduler: VirtualScheduler?
  ) {
    self.inner = inner
    self.cost = cost
    self.scheduler = scheduler
  }

  var name: String { "slow \(inner.name)" }

  func send(_ packet: MediaPacket) throws(MediaError) {
    let time = cost(packet)
    if time > .zero { scheduler?.spend(time) }
    try inner.send(packet)
  }

  func receive() throws(MediaError) -> Decoded<AudioBlock> { try inner.receive() }
  func finish() { inner.finish() }
}
