import CoreMedia
import MediaIO
import MediaRuntime

/// Finds the frames of many times in one pass over an opened medium. Used on the medium's queue alone; every call of
/// `advance` does one small thing (reads a packet, decodes one, takes a frame), so that it can be ended in between.
///
/// Times go up. Which packet holds a target's picture is known from the container's times before it is decoded
/// (`PacketWindow`); where the next target's key frame lies ahead, reading goes there; else decoding goes on. Frames that
/// nothing refers to are decoded only if they are wanted. Where containers have no times, or a frame does not come out as
/// its packet promised, everything from the key frame on is decoded instead.
final class FrameExtractor {
  /// A request in the track's ticks.
  struct Target {
    var index: Int
    var time: CMTime
    /// The last tick that is not behind the time.
    var ticks: Int64
    /// Nil: without limit.
    var earliest: Int64?
    var latest: Int64?
    /// Nothing but what frames themselves say is believed: the second attempt.
    var isBlind = false
    /// A later key frame may still be looked for.
    var mayDetour = true
    /// Reading may begin again at the start, where a seek found no key frame.
    var mayRewind = true

    /// A key frame may stand for it.
    var isTolerant: Bool { earliest.map { $0 < ticks } ?? true || latest.map { $0 > ticks } ?? true }
  }

  /// A target whose picture is with the decoder.
  struct Outstanding {
    var target: Target
    /// The time of the packet that holds it; nil when that is not known.
    var packetTime: Int64?
    var candidate: VideoFrame?
  }

  enum Progress {
    case working
    case found(Int, VideoFrame)
    case failed(Int, MediaError)
    /// All targets have their answer.
    case done
  }

  enum Stage: Equatable { case position, reading }

  let media: OpenedMedia
  let track: MediaTrack
  private let backend: any MediaBackend
  private let scheduler: any Scheduler
  private var decoder: (any VideoDecoder)?
  private var lease: DecoderThreadBudget.Lease?
  /// Threads that the decoder was wanted with, whatever it got.
  private var wantedThreads = 0

  var generation: Generation
  var targets: ArraySlice<Target> = []
  var stage = Stage.position
  var outstanding: [Outstanding] = []
  var window = PacketWindow()
  /// A key frame that may only follow when the pictures before it are out.
  var held: MediaPacket?
  /// Where a tolerant target is looked for when that is not its own time.
  var detour: Int64?
  /// Reading can go on from where it is.
  var hasPosition = false
  /// Nothing has been read since the medium was opened.
  var isUntouched: Bool
  var hasMetEnd = false
  /// The container has no times of pictures: frames alone tell.
  var isTimeless = false
  /// The decoder has been told that nothing follows.
  var isDraining = false
  /// Packets are with the decoder, or were since its last flush.
  var isUsed = false
  /// The frame that came out last.
  var last: VideoFrame?
  var failure: MediaError?

  /// Bytes that wait undecoded at most: a group that is larger is decoded while it is read.
  static let heldLimit = 32 << 20

  init(_ media: OpenedMedia, _ track: MediaTrack, backend: any MediaBackend, scheduler: any Scheduler) {
    self.media = media
    self.track = track
    self.backend = backend
    self.scheduler = scheduler
    generation = media.generation
    isUntouched = media.isAtStart
    media.demuxer.select([track.index])
  }

  /// Takes new targets in place of those that have no answer yet.
  func begin(_ requests: [(index: Int, request: ImageRequest)], _ generation: Generation) {
    self.generation = generation
    if !outstanding.isEmpty || held != nil || isDraining || stage != .position { forgetPosition() }
    outstanding = []
    failure = nil
    let found = requests.map { target($0.index, $0.request) }
    targets = found.sorted { ($0.ticks, $0.index) < ($1.ticks, $1.index) }[...]
    openDecoder(forKeyframes: targets.allSatisfy { $0.earliest == nil && $0.latest == nil })
  }

  /// What was read may have been interrupted: the next target begins with a seek.
  func forgetPosition() {
    hasPosition = false
    held = nil
    stage = .position
    detour = nil
    window.removeAll()
    last = nil
    flush()
  }

  private func openDecoder(forKeyframes: Bool) {
    // Single pictures come sooner without frame threads' lag.
    let wanted = forKeyframes ? 1 : DecoderThreads.seeking.wanted(for: track)
    if decoder != nil, wantedThreads >= wanted { return }
    if decoder != nil { forgetPosition() }
    let lease = DecoderThreadBudget.shared.lease(wanted, for: scheduler)
    self.lease = lease
    wantedThreads = wanted
    decoder = nil
    do throws(MediaError) {
      decoder = try backend.videoDecoder(for: track, threads: lease.threads, generation)
    } catch {
      failure = error
    }
  }

  /// - Throws: `.interrupted` when a newer generation is wanted; all else is told of each target.
  func advance() throws(MediaError) -> Progress {
    guard let decoder else {
      guard let target = targets.popFirst() else { return .done }
      return .failed(target.index, failure ?? .noImage(at: target.time, media.source.address))
    }
    if let first = outstanding.first {
      if let last, first.packetTime == last.presentationTime { return found(last) }
      switch received(decoder) {
      case .output(let frame): return took(frame)
      case .end: return settle()
      case .needsInput where isDraining: return settle()
      case .needsInput: break
      }
    }
    if window.hasWork {
      feed(decoder)
      return .working
    }
    guard let target = targets.first else {
      if outstanding.isEmpty { return .done }
      if outstanding.contains(where: { $0.packetTime == nil }), !hasMetEnd { return try readBlindly() }
      drain()
      return .working
    }
    if target.isBlind || isTimeless || outstanding.contains(where: { $0.packetTime == nil }) {
      return try advanceBlindly(target)
    }
    do throws(MediaError) {
      return try plan(target)
    } catch {
      guard error.code != .interrupted else { throw error }
      return fail(target, error)
    }
  }

  /// Answers come in the order of their times: what is with the decoder goes first.
  func fail(_ target: Target, _ error: MediaError) -> Progress {
    guard outstanding.isEmpty else {
      drain()
      return .working
    }
    targets.removeFirst()
    stage = .position
    detour = nil
    return .failed(target.index, error)
  }

  // MARK: Decoder

  private func feed(_ decoder: any VideoDecoder) {
    if isDraining { flush() }
    guard let (packet, isWanted) = window.takeNext() else { return }
    isUsed = true
    let isBlind = packet.presentationTime == nil || outstanding.contains { $0.packetTime == nil }
    do throws(MediaError) {
      try decoder.send(packet, skippingNonReference: !isWanted && !isBlind)
    } catch {
      failure = error
    }
  }

  /// What the decoder has; its complaint about one packet is no end.
  private func received(_ decoder: any VideoDecoder) -> Decoded<VideoFrame> {
    for _ in 0..<1_000 {
      do throws(MediaError) { return try decoder.receive() } catch { failure = error }
    }
    return .end
  }

  func drain() {
    guard !isDraining else { return }
    isDraining = true
    decoder?.finish()
  }

  func flush() {
    isDraining = false
    guard isUsed else { return }
    isUsed = false
    decoder?.flush(generation)
  }
}

extension MediaError {
  static func noImage(at time: CMTime, _ address: String) -> MediaError {
    let place = time.isNumeric ? "at \(time.seconds) s" : "at that time"
    return MediaError(
      .imageMissing, "There is no picture \(place). Ask for a time before the end, or allow a tolerance.",
      address: address)
  }
}
