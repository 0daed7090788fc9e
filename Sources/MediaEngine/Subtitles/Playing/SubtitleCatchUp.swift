internal import CoreMedia
import MediaIO
import MediaRuntime

/// A stretch of one track of subtitles.
struct SubtitleStretch: Sendable {
  var track: MediaTrack
  var from: CMTime
  var to: CMTime
}

/// A second reading position of the media, for subtitles that began before the place from which the first one reads.
final class SubtitleCatchUp: @unchecked Sendable {
  // Sendable because its variables are touched on `control` only.

  typealias Done = @Sendable (_ cues: [SubtitleCue], _ header: String) -> Void

  private let asset: AssetCore
  private let control: SerialQueue
  private var media: OpenedMedia?
  private var openingSource: (any ByteSource)?
  private var generation = Generation.first
  private var waiting: (SubtitleStretch, Done)?
  private var reading: SubtitleReading?
  private var isClosed = false

  init(_ asset: AssetCore, control: SerialQueue) {
    self.asset = asset
    self.control = control
  }

  /// `done` is called once on the control queue with what the stretch has; not at all when a newer one comes.
  func read(_ stretch: SubtitleStretch, done: @escaping Done) {
    generation = generation.next
    if let media { return begin(media, stretch, done) }
    let isOpening = waiting != nil
    waiting = (stretch, done)
    guard !isOpening else { return }
    openingSource = asset.openAnother { [weak self, control] result in
      control.post("position for subtitles is open") { [weak self] in self?.opened(result) }
    }
  }

  func close() {
    isClosed = true
    generation = generation.next
    waiting = nil
    openingSource?.want(generation)
    openingSource = nil
    reading?.cancel()
    media?.source.want(generation)
    media = nil
  }

  private func opened(_ result: Result<OpenedMedia, MediaError>) {
    openingSource = nil
    guard !isClosed, let (stretch, done) = waiting else { return }
    waiting = nil
    switch result {
    case .success(let media):
      self.media = media
      begin(media, stretch, done)
    case .failure(let error):
      Log.engine.debug("Subtitles from before the place are not looked for: \(error)")
      done([], "")
    }
  }

  private func begin(_ media: OpenedMedia, _ stretch: SubtitleStretch, _ done: @escaping Done) {
    let generation = generation
    media.source.want(generation)
    guard let decoder = try? asset.environment.backend.subtitleDecoder(for: stretch.track) else { return done([], "") }
    reading?.cancel()
    let reading = SubtitleReading(media, stretch, decoder, generation) { [weak self, control] cues, header in
      control.post("earlier subtitles are read") { [weak self] in
        if self?.generation == generation { done(cues, header) }
      }
    }
    self.reading = reading
    media.queue.post("look for earlier subtitles") { reading.begin() }
  }
}

/// Reads a stretch of subtitles, one packet per step. Used on the medium's queue alone.
final class SubtitleReading: @unchecked Sendable {
  private let media: OpenedMedia
  private let stretch: SubtitleStretch
  private let decoder: any SubtitleDecoder
  private let generation: Generation
  private let done: SubtitleCatchUp.Done
  /// Its packets tell how far reading has come where subtitles are rare.
  private let pacer: Int?
  private var cues: [SubtitleCue] = []
  private var pixels = 0
  private let isCancelled = Lock(false)

  /// Bytes of decoded pictures: beyond it there is no more of interest.
  private static let pixelLimit = 64 << 20

  init(
    _ media: OpenedMedia, _ stretch: SubtitleStretch, _ decoder: any SubtitleDecoder, _ generation: Generation,
    done: @escaping SubtitleCatchUp.Done
  ) {
    self.media = media
    self.stretch = stretch
    self.decoder = decoder
    self.generation = generation
    self.done = done
    let tracks = media.description
    pacer = (tracks.tracks(of: .video).first ?? tracks.tracks(of: .audio).first)?.index
  }

  /// Any thread.
  func cancel() { isCancelled.withLock { $0 = true } }

  func begin() {
    guard !isCancelled.withLock({ $0 }) else { return }
    media.demuxer.select(Set([stretch.track.index, pacer].compactMap(\.self)))
    do {
      try media.demuxer.seek(to: CMTimeMaximum(stretch.from, .zero), generation)
    } catch {
      return finish(error)
    }
    step()
  }

  private func step() {
    // What is buffered would be read in spite of the generation, in place of the newer one's.
    guard !isCancelled.withLock({ $0 }) else { return }
    let sample: DemuxedSample
    do {
      sample = try media.demuxer.read(generation)
    } catch {
      return finish(error)
    }
    switch sample {
    case .end: return finish(nil)
    case .description: break
    case .packet(let packet):
      let track = packet.track == stretch.track.index ? stretch.track : nil
      let base = track ?? media.description.tracks.first { $0.index == packet.track }
      if let base, let ticks = packet.decodeTime ?? packet.presentationTime, base.timeBase.time(ticks) >= stretch.to {
        return finish(nil)
      }
      if track != nil, let found = try? decoder.decode(packet) { keep(found) }
      if pixels > Self.pixelLimit || cues.count > SubtitleLimits.cues { return finish(nil) }
    }
    media.queue.post("read earlier subtitles") { [self] in step() }
  }

  private func keep(_ found: [SubtitleCue]) {
    cues += found
    for cue in found { pixels += cue.pixelBytes }
  }

  private func finish(_ error: MediaError?) {
    // A newer stretch has taken the position.
    if error?.code == .interrupted { return }
    if let error { Log.engine.debug("Looking for earlier subtitles ended: \(error)") }
    keep(decoder.finish())
    done(cues, decoder.script?.header ?? "")
  }
}
