import CoreMedia
import MediaIO
import MediaRuntime

/// Decodes frames backward, a piece of a group at a time (`ReversePlan`). Used on the medium's queue alone; every call of
/// `advance` does one small thing (reads a packet, decodes one, takes a frame), so that it can be ended in between.
final class ReverseDecoding {
  enum Progress {
    case working
    /// Frames in descending order.
    case piece([VideoFrame])
    /// There are no earlier frames.
    case done
  }

  /// How the frames are to be had now.
  struct Demand {
    /// How many may be held.
    var capacity: Int
    /// The magnitude of the rate at which they are shown.
    var rate: Double
    /// Item time: frames behind it would come too late.
    var now: () -> CMTime
  }

  fileprivate enum Stage {
    case plan
    case read
    case decode(Piece)
  }

  fileprivate struct Piece {
    /// Times of the frames to keep; nil keeps the last ones of all, whatever their packets promised.
    var kept: Set<Int64>?
    /// With a frame of this time, or a later one, it is complete.
    var last: Int64
    /// What is still to come after it.
    var bound: Int64
    var capacity: Int
    /// The next packet, where they are held.
    var next = 0
    var isDraining = false
    var frames: [VideoFrame] = []
    /// What came last, kept or not.
    var latest: VideoFrame?
    var sent = 0
    var begun: HostTime
  }

  private let reader: ReverseReader
  private let track: MediaTrack
  private let backend: any MediaBackend
  private let scheduler: any Scheduler
  private var decoder: (any VideoDecoder)?
  private var lease: DecoderThreadBudget.Lease?
  private var stage = Stage.plan
  private var group: ReverseGroup?
  /// Frames of earlier times are still to come.
  private var bound: Int64
  /// Frames decoded in a second, over the last pieces.
  private var speed: Double?
  private var failures = 0

  private static let mostFailuresInARow = 1_000
  /// How long the first piece may take, before anything is known of the decoder's speed.
  private static let patience = Nanoseconds.milliseconds(500)

  /// - Parameter bound: only frames before it are given, in ticks.
  init(
    _ media: OpenedMedia, _ track: MediaTrack, before bound: Int64, backend: any MediaBackend, scheduler: any Scheduler
  ) {
    reader = ReverseReader(media, track)
    self.track = track
    self.backend = backend
    self.scheduler = scheduler
    self.bound = bound
  }

  func advance(_ demand: Demand) throws(MediaError) -> Progress {
    switch stage {
    case .plan: return try plan(demand)
    case .read:
      try read()
      return .working
    case .decode(let piece): return try decode(piece)
    }
  }

  // MARK: Groups

  private func plan(_ demand: Demand) throws(MediaError) -> Progress {
    if let ticks = track.timeBase.floorTicks(demand.now()), ticks < bound { bound = ticks + 1 }
    if let start = group?.start, start >= bound { group = nil }
    guard let group else {
      guard bound > 0 else { return .done }
      try reader.seek(before: bound)
      stage = .read
      return .working
    }
    try begin(group, demand)
    return .working
  }

  private func read() throws(MediaError) {
    switch try reader.read() {
    case .nothing: break
    case .packet(let packet):
      if group == nil { group = ReverseGroup(first: packet, before: bound) }
      group?.append(packet)
    case .end:
      group?.close()
      stage = .plan
      // Without a key frame before it there is nothing more.
      if group.map({ $0.start >= bound }) ?? true {
        group = nil
        bound = 0
      }
    }
  }

  // MARK: Pieces

  private func begin(_ group: ReverseGroup, _ demand: Demand) throws(MediaError) {
    let times = group.times.map { $0.filter { $0 < bound } } ?? []
    guard let first = times.first else { return try beginBlindly(group, demand.capacity) }
    let shown = track.timeBase.time(bound - first).seconds
    let plan = ReversePlan(
      times: times, key: group.start, capacity: demand.capacity, available: shown / max(demand.rate, 0.001),
      speed: speed)
    try begin(
      Piece(
        kept: Set(plan.kept), last: plan.kept.first ?? group.start, bound: plan.bound, capacity: demand.capacity,
        begun: scheduler.now), of: group)
  }

  /// What frames themselves say is believed.
  private func beginBlindly(_ group: ReverseGroup, _ capacity: Int) throws(MediaError) {
    try begin(
      Piece(kept: nil, last: bound, bound: min(bound, group.start), capacity: capacity, begun: scheduler.now), of: group
    )
  }

  private func begin(_ piece: Piece, of group: ReverseGroup) throws(MediaError) {
    if !group.isHeld { try reader.seek(before: group.bound) }
    if let decoder {
      decoder.flush(reader.media.generation)
    } else {
      let lease = DecoderThreadBudget.shared.lease(DecoderThreads.seeking.wanted(for: track), for: scheduler)
      self.lease = lease
      decoder = try backend.videoDecoder(for: track, threads: lease.threads, reader.media.generation)
    }
    stage = .decode(piece)
  }

  private func decode(_ piece: Piece) throws(MediaError) -> Progress {
    guard let decoder, let group else {
      stage = .plan
      return .working
    }
    var piece = piece
    // Held once: what the stage keeps would be copied with the first frame that is added.
    stage = .plan
    switch try received(decoder) {
    case .output(let frame):
      piece.take(frame, of: group, before: bound)
      if frame.presentationTime >= piece.last { return try end(piece, of: group) }
      if speed == nil, scheduler.now - piece.begun > Self.patience, piece.goesWithLatest() {
        return try end(piece, of: group)
      }
    case .end: return try end(piece, of: group)
    case .needsInput where piece.isDraining: return try end(piece, of: group)
    case .needsInput: try feed(decoder, &piece, of: group)
    }
    stage = .decode(piece)
    return .working
  }

  private func feed(_ decoder: any VideoDecoder, _ piece: inout Piece, of group: ReverseGroup) throws(MediaError) {
    guard let packet = try nextPacket(&piece, of: group) else {
      if !piece.isDraining { decoder.finish() }
      piece.isDraining = true
      return
    }
    let isWanted = packet.presentationTime.flatMap { time in piece.kept.map { $0.contains(time) } } ?? true
    piece.sent += 1
    do throws(MediaError) {
      try decoder.send(packet, skippingNonReference: !isWanted)
    } catch {
      try tolerate(error)
    }
  }

  private func nextPacket(_ piece: inout Piece, of group: ReverseGroup) throws(MediaError) -> MediaPacket? {
    if group.isHeld {
      guard piece.next < group.packets.count else { return nil }
      defer { piece.next += 1 }
      return group.packets[piece.next]
    }
    while !piece.isDraining {
      switch try reader.read() {
      case .packet(let packet): return packet
      case .nothing: continue
      case .end: return nil
      }
    }
    return nil
  }

  private func received(_ decoder: any VideoDecoder) throws(MediaError) -> Decoded<VideoFrame> {
    do throws(MediaError) {
      let decoded = try decoder.receive()
      if case .output = decoded { failures = 0 }
      return decoded
    } catch {
      try tolerate(error)
      return .needsInput
    }
  }

  /// One damaged packet leaves out its own frame.
  private func tolerate(_ error: MediaError) throws(MediaError) {
    failures += 1
    guard error.isTolerable(inARow: failures, limit: Self.mostFailuresInARow) else { throw error }
  }

  private func end(_ piece: Piece, of group: ReverseGroup) throws(MediaError) -> Progress {
    let seconds = (scheduler.now - piece.begun).seconds
    if piece.sent > 0, seconds > 0 {
      let new = Double(piece.sent) / seconds
      speed = speed.map { ($0 + new) / 2 } ?? new
    }
    if piece.frames.isEmpty, piece.kept != nil {
      // Frames came out at other times than their packets promised: they are looked for among all.
      try beginBlindly(group, piece.capacity)
      return .working
    }
    bound = piece.kept == nil ? piece.frames.first?.presentationTime ?? piece.bound : piece.bound
    guard !piece.frames.isEmpty else { return .working }
    return .piece(piece.frames.sorted { $0.presentationTime > $1.presentationTime })
  }
}

extension ReverseDecoding.Piece {
  fileprivate mutating func take(_ frame: VideoFrame, of group: ReverseGroup, before bound: Int64) {
    let time = frame.presentationTime
    guard time >= group.start, time < bound else { return }
    latest = frame
    if let kept {
      if kept.contains(time) { frames.append(frame) }
      return
    }
    frames.append(frame)
    if frames.count > capacity { frames.removeFirst() }
  }

  /// Where decoding takes too long, the frame that it has reached stands for all behind it.
  fileprivate mutating func goesWithLatest() -> Bool {
    guard let latest else { return false }
    guard frames.isEmpty else { return true }
    frames = [latest]
    bound = latest.presentationTime
    return true
  }
}
