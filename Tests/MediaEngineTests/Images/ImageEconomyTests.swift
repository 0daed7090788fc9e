import CoreGraphics
import CoreMedia
import FFmpegBackend
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// What still pictures cost: packets that are decoded, seeks, sources, pictures that wait. On virtual time.
@Suite struct ImageEconomyTests {
  private func run(
    _ name: String, _ body: @escaping @Sendable (ImageExtraction, CostBackend, SerialQueue) async throws -> Void
  ) async throws {
    let url = try Fixture.url(name)
    try await VirtualScheduler.test { scheduler, queue in
      let backend = CostBackend()
      let environment = EngineEnvironment(
        scheduler: scheduler, backend: backend, sources: LocalSourceOpener(), audioSinks: CapturingAudioSinks())
      let extraction = ImageExtraction(AssetCore(url: url, options: SourceOptions(), environment: environment))
      try await body(extraction, backend, queue)
    }
  }

  private func all(
    _ requests: [ImageRequest], _ extraction: ImageExtraction, _ queue: SerialQueue
  ) async -> [Result<ExtractedImage, MediaError>] {
    let found = Lock<[Result<ExtractedImage, MediaError>]>([])
    _ = extraction.start(requests, ImageSettings(), isDirect: true) { run, _, result in
      found.withLock { $0.append(result) }
      run.take()
    }
    await queue.sleep(.seconds(Int64(1)))
    return found.withLock { $0 }
  }

  private func requests(_ times: [Int], tolerance: CMTime = .zero) -> [ImageRequest] {
    times.map { milliseconds in
      ImageRequest(
        time: CMTime(value: Int64(milliseconds), timescale: 1_000), toleranceBefore: tolerance,
        toleranceAfter: tolerance)
    }
  }

  @Test("A key frame is one packet, and is not decoded again for the next time that it serves")
  func keyFrames() async throws {
    try await run("plain.mp4") { extraction, backend, queue in
      let results = await all(
        requests([100, 200, 4_100, 4_200, 8_100], tolerance: .positiveInfinity), extraction, queue)
      let times = Set(results.compactMap { try? $0.get().time.seconds })
      #expect(results.count == 5)
      #expect(backend.cost.packets == times.count)
    }
  }

  @Test("Times of one group are decoded in one pass")
  func oneGroup() async throws {
    try await run("long-gop.mp4") { extraction, backend, queue in
      let times = Array(stride(from: 500, through: 3_500, by: 100))
      let results = await all(requests(times), extraction, queue)
      #expect(results.count == times.count)
      #expect(backend.cost.seeks == 1)
      // 3.5 s of pictures, and some of what follows in decoding order.
      let made = try results.map { try $0.get().time.seconds }
      #expect(made == made.sorted())
      #expect(backend.cost.packets <= 3_500 * 30 / 1_000 + 8)
      #expect(backend.cost.wanted <= times.count)
    }
  }

  @Test("Distant times are sought, and only their groups decoded")
  func distantTimes() async throws {
    try await run("plain.mp4") { extraction, backend, queue in
      _ = await all(requests([1_050, 9_050]), extraction, queue)
      #expect(backend.cost.seeks == 2)
      #expect(backend.cost.packets < 130)
      #expect(backend.cost.demuxers == 1)
    }
  }

  @Test("Runs share one reading position")
  func runsOneAfterTheOther() async throws {
    try await run("plain.mp4") { extraction, backend, queue in
      for time in [5_000, 1_000, 9_000] { _ = await all(requests([time]), extraction, queue) }
      #expect(backend.cost.demuxers == 1 && backend.cost.decoders == 1)
    }
  }

  @Test("Pictures that nobody takes hold up the rest, but not another run")
  func boundedLead() async throws {
    try await run("plain.mp4") { extraction, backend, queue in
      let made = Lock(0)
      let run = extraction.start(requests(Array(stride(from: 0, to: 9_000, by: 300))), ImageSettings(), isDirect: true)
      {
        _, _, _ in made.withLock { $0 += 1 }
      }
      await queue.sleep(.seconds(Int64(1)))
      #expect(made.withLock { $0 } == 4)
      let others = await all(requests([7_000]), extraction, queue)
      #expect(others.count == 1)
      run.take()
      await queue.sleep(.seconds(Int64(1)))
      #expect(made.withLock { $0 } == 5)
      run.cancel()
      #expect(made.withLock { $0 } == 30)
    }
  }

  @Test("Cancelling answers at once, and nothing is decoded afterwards")
  func cancelling() async throws {
    try await run("long-gop.mp4") { extraction, backend, queue in
      let results = Lock<[Bool]>([])
      let run = extraction.start(requests(Array(0..<50).map { $0 * 100 }), ImageSettings(), isDirect: true) {
        _, _, result in
        results.withLock { $0.append((try? result.get()) != nil) }
      }
      run.cancel()
      #expect(results.withLock { $0.count } == 50)
      await queue.sleep(.seconds(Int64(1)))
      #expect(backend.cost.packets < 10)
      let after = await all(requests([1_000]), extraction, queue)
      #expect(after.count == 1 && after.allSatisfy { (try? $0.get()) != nil })
    }
  }

  @Test("What is open is let go ten seconds after the last picture")
  func lettingGo() async throws {
    try await run("plain.mp4") { extraction, backend, queue in
      _ = await all(requests([1_000]), extraction, queue)
      #expect(backend.cost.closed == 0)
      await queue.sleep(.seconds(Int64(15)))
      #expect(backend.cost.closed == 1)
      _ = await all(requests([2_000]), extraction, queue)
      #expect(backend.cost.demuxers == 2)
    }
  }
}

/// FFmpeg's back end, with a count of what is asked of it.
private final class CostBackend: MediaBackend {
  struct Cost {
    var demuxers = 0
    var seeks = 0
    var closed = 0
    var decoders = 0
    var packets = 0
    /// Packets whose pictures were wanted.
    var wanted = 0
  }

  private let inner = FFmpegMediaBackend()
  private let counted = Lock(Cost())
  var cost: Cost { counted.withLock { $0 } }

  func demuxer(_ source: any ByteSource, hints: SourceHints) -> any Demuxer {
    counted.withLock { $0.demuxers += 1 }
    return CostDemuxer(inner.demuxer(source, hints: hints)) { [self] change in counted.withLock { change(&$0) } }
  }

  func videoDecoder(for track: MediaTrack, threads: Int, _ generation: Generation) throws(MediaError)
    -> any VideoDecoder
  {
    counted.withLock { $0.decoders += 1 }
    let decoder = try inner.videoDecoder(for: track, threads: threads, generation)
    return CostDecoder(decoder) { [self] change in counted.withLock { change(&$0) } }
  }

  func audioDecoder(for track: MediaTrack, _ generation: Generation) throws(MediaError) -> any AudioDecoder {
    try inner.audioDecoder(for: track, generation)
  }

  func audioConverter(from: AudioFormat, to: AudioDeviceFormat, _ processing: SoundProcessing) throws(MediaError)
    -> any AudioConverter
  {
    try inner.audioConverter(from: from, to: to, processing)
  }

  func audioStretcher(_ format: AudioDeviceFormat, rate: Double, algorithm: PitchAlgorithm) throws(MediaError)
    -> any AudioStretcher
  {
    try inner.audioStretcher(format, rate: rate, algorithm: algorithm)
  }

  typealias Change = @Sendable ((inout Cost) -> Void) -> Void
}

private final class CostDemuxer: Demuxer {
  private let inner: any Demuxer
  private let count: CostBackend.Change

  init(_ inner: any Demuxer, _ count: @escaping CostBackend.Change) {
    self.inner = inner
    self.count = count
  }

  func open(_ generation: Generation) throws(MediaError) -> MediaDescription { try inner.open(generation) }
  func preciseDescription(_ generation: Generation) throws(MediaError) -> MediaDescription {
    try inner.preciseDescription(generation)
  }
  func select(_ tracks: Set<Int>) { inner.select(tracks) }
  func read(_ generation: Generation) throws(MediaError) -> DemuxedSample { try inner.read(generation) }
  func seek(to target: CMTime, _ generation: Generation) throws(MediaError) {
    count { $0.seeks += 1 }
    try inner.seek(to: target, generation)
  }
  func keyframes(around target: CMTime, of track: Int) -> KeyframeNeighbours? {
    inner.keyframes(around: target, of: track)
  }
  func close() {
    count { $0.closed += 1 }
    inner.close()
  }
}

private final class CostDecoder: VideoDecoder {
  private let inner: any VideoDecoder
  private let count: CostBackend.Change

  init(_ inner: any VideoDecoder, _ count: @escaping CostBackend.Change) {
    self.inner = inner
    self.count = count
  }

  var name: String { inner.name }
  func send(_ packet: MediaPacket, skippingNonReference: Bool) throws(MediaError) {
    count {
      $0.packets += 1
      if !skippingNonReference { $0.wanted += 1 }
    }
    try inner.send(packet, skippingNonReference: skippingNonReference)
  }
  func receive() throws(MediaError) -> Decoded<VideoFrame> { try inner.receive() }
  func finish() { inner.finish() }
  func flush(_ generation: Generation) { inner.flush(generation) }
}
