import MediaIO
import MediaRuntime

/// Makes cues of one track's packets as they are read, on a queue of its own.
final class SubtitleFeed: @unchecked Sendable {
  // Sendable because `decoder` and `generation` are touched on `queue` only.

  /// Called on the feed's queue: cues, and the styles that they refer to.
  typealias Found = @Sendable (_ cues: [SubtitleCue], _ header: String) -> Void

  let track: MediaTrack
  private let queue: SerialQueue
  private let backend: any MediaBackend
  private let found: Found
  private var decoder: (any SubtitleDecoder)?
  private var hasFailed = false
  private var generation = Generation(0)
  private let waiting = Lock(Waiting())

  private struct Waiting {
    var bytes = 0
    var hasLeftOut = false
  }

  /// Bytes of packets that wait for their decoder: no film of any length comes near it.
  private static let limit = 16 << 20

  init(_ track: MediaTrack, _ environment: EngineEnvironment, found: @escaping Found) {
    self.track = track
    backend = environment.backend
    queue = environment.scheduler.queue("subtitles \(track.id)", .light)
    self.found = found
  }

  deinit { queue.close() }

  /// Any thread.
  func append(_ packet: MediaPacket) {
    let (isTaken, isFirst) = waiting.withLock { waiting -> (Bool, Bool) in
      guard waiting.bytes + packet.cost <= Self.limit else {
        defer { waiting.hasLeftOut = true }
        return (false, !waiting.hasLeftOut)
      }
      waiting.bytes += packet.cost
      return (true, false)
    }
    guard isTaken else {
      if isFirst { Log.engine.warning("Subtitles come faster than they are decoded; some are left out.") }
      return
    }
    queue.post("decode subtitle") { [weak self] in
      guard let self else { return }
      self.waiting.withLock { $0.bytes -= packet.cost }
      self.decode(packet)
    }
  }

  /// No packet follows for now: what the decoder held back is told.
  func end() {
    queue.post("last subtitles") { [weak self] in
      guard let self, let decoder = self.decoder else { return }
      self.tell(decoder.finish(), decoder)
    }
  }

  private func decode(_ packet: MediaPacket) {
    guard packet.generation >= generation, let decoder = opened() else { return }
    if packet.generation > generation {
      generation = packet.generation
      decoder.flush()
    }
    do {
      tell(try decoder.decode(packet), decoder)
    } catch {
      Log.engine.debug("A subtitle was left out: \(error)")
    }
  }

  private func opened() -> (any SubtitleDecoder)? {
    guard decoder == nil, !hasFailed else { return decoder }
    do {
      decoder = try backend.subtitleDecoder(for: track)
    } catch {
      hasFailed = true
      Log.engine.warning("Subtitles of track \(track.id) can't be shown: \(error)")
    }
    return decoder
  }

  private func tell(_ cues: [SubtitleCue], _ decoder: any SubtitleDecoder) {
    if !cues.isEmpty { found(cues, decoder.script?.header ?? "") }
  }
}
