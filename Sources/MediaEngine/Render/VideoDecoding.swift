internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// One video track from packets to the frames that are to be shown, on a queue of its own, one packet per step.
///
/// Holds a few decoded frames ahead of the clock. It rests when they suffice or when packets are missing, and is called
/// back by whoever changes that. A landing that begins elsewhere makes everything in flight void.
final class VideoDecoding: Sendable {
  /// Called on the decoding queue.
  struct Reports: Sendable {
    /// The frame of the target is there; nil when the media has no frame at all.
    var landed: @Sendable (UInt64, VideoFrame?) -> Void
    /// A frame came after there was none to wait for.
    var arrived: @Sendable () -> Void
    /// Everything is decoded; the end of the last frame.
    var ended: @Sendable (UInt64, CMTime?) -> Void
    var failed: @Sendable (UInt64, MediaError) -> Void
    /// The place to begin at is held no more: begin anew.
    var placeLost: @Sendable (UInt64) -> Void
  }

  let track: MediaTrack
  let buffer: PacketBuffer
  private let item: ItemID
  private let environment: EngineEnvironment
  private let queue: SerialQueue
  private let timeline: Timeline
  private let reports: Reports
  private let state = Lock(State())
  private let live = LiveObject(.videoDecoding)

  /// Where decoding begins.
  enum Begin: Sendable {
    /// The packets go on where the decoder is.
    case here
    /// Another place among the packets held.
    case place(PacketStore.Place)
    /// Packets of a newer generation come.
    case anew
  }

  fileprivate struct State {
    var decoder: (any VideoDecoder)?
    var lease: DecoderThreadBudget.Lease?
    var epoch: UInt64 = 0
    /// Counts the flushes asked for: what the decoder gives from before one is void. A landing that goes on where the
    /// decoder is raises the epoch alone, for the frame being decoded right then may be its own.
    var run: UInt64 = 0
    var generation = Generation.first
    var flush: Begin?
    var landing: FrameLanding?
    var target: CMTime?
    /// Ascending; not yet due.
    var frames: [VideoFrame] = []
    var shown: VideoFrame?
    var lastEnd: CMTime?
    var lastTime: CMTime?
    /// From one frame to the next, of the last two in a row.
    var spacing: CMTime?
    var isLastLengthKnown = true
    var outputs: [VideoFrameOutput] = []
    var isPosted = false
    var isEnabled = true
    var isRunning = false
    var waitsForSpace = false
    var someoneAwaitsFrame = false
    var isDrained = false
    var isFinishing = false
    var isClosed = false
    var failuresInARow = 0
    /// Frames that came too late to be shown, since the last seek.
    var lateFrames = 0
    var needsThreads = false
  }

  /// Bytes and count that bound the decoded frames ahead.
  private let capacity: Int
  /// While time stands, one frame is enough for a step, and the next seek does not wait for more of them.
  private static let restingCapacity = 1
  private static let lateFramesBeforeThreads = 3

  init(
    item: ItemID, track: MediaTrack, buffer: PacketBuffer, environment: EngineEnvironment, timeline: Timeline,
    generation: Generation, reports: Reports
  ) {
    self.item = item
    self.track = track
    self.buffer = buffer
    self.environment = environment
    self.timeline = timeline
    self.reports = reports
    queue = environment.scheduler.queue("video \(item.number)", .light)
    capacity = Self.capacity(track.video)
    state.withLock { $0.generation = generation }
    buffer.setConsumer { [weak self] in self?.kick() }
  }

  static func capacity(_ format: VideoFormat?) -> Int {
    guard let format else { return 4 }
    let depth = format.bitDepth > 8 ? 2 : 1
    let (pixels, overflow) = max(format.width, 1).multipliedReportingOverflow(by: max(format.height, 1))
    let bytes = overflow ? Int.max / 8 : min(pixels, Int.max / 8) * 3 / 2 * depth
    return min(max((10 << 20) / max(bytes, 1), 2), 5)
  }

  // MARK: Commands

  /// Looks for the frame of a target (or so many steps on) from a beginning; ends in `landed`.
  /// - Parameter tolerance: the first frame that comes is good enough when its time lies within this.
  func land(
    _ goal: FrameLanding.Goal, tolerance: ClosedRange<CMTime>? = nil, from begin: Begin, epoch: UInt64,
    generation: Generation
  ) {
    let landed = state.withLock { state -> VideoFrame? in
      state.epoch = epoch
      state.generation = generation
      let candidate = state.landing?.candidate
      state.landing = FrameLanding(goal, tolerance: tolerance)
      if case .time(let target) = goal { state.target = target } else { state.target = nil }
      guard case .here = begin else {
        state.flush = begin
        state.run &+= 1
        state.frames.removeAll()
        state.shown = nil
        state.isDrained = false
        return nil
      }
      if let candidate { state.shown = candidate }
      return state.landAmongDecoded(goal)
    }
    guard let landed else { return kick() }
    queue.post("land on decoded frame") { [self] in
      deliverLanded(landed, epoch)
      let end = state.withLock { $0.isDrained && $0.epoch == epoch ? $0.lastEnd : nil }
      if let end { reports.ended(epoch, end) }
    }
  }

  func setEnabled(_ enabled: Bool) {
    state.withLock { state in
      state.isEnabled = enabled
      guard !enabled else { return }
      state.frames.removeAll()
      state.shown = nil
      state.landing = nil
      state.flush = .anew
      state.run &+= 1
    }
    if enabled { kick() } else { queue.post("let go of video decoder") { [self] in dropDecoder() } }
  }

  /// While running, frames whose time is over need not be decoded, and more are held ahead.
  func setRunning(_ running: Bool) {
    let wakes = state.withLock { state in
      state.isRunning = running
      return running && state.waitsForSpace
    }
    if wakes { kick() }
  }

  func setOutputs(_ outputs: [VideoFrameOutput]) {
    let (new, shown, frames) = state.withLock { state -> ([VideoFrameOutput], VideoFrame?, [VideoFrame]) in
      let new = outputs.filter { output in !state.outputs.contains { $0 === output } }
      state.outputs = outputs
      return (new, state.shown, state.frames)
    }
    for output in new {
      for frame in (shown.map { [$0] } ?? []) + frames { output.put(frame, from: frame.time) }
      if let shown { output.present(shown, at: shown.time) }
    }
    kick()
  }

  func kick() {
    let posts = state.withLock { state in
      guard !state.isPosted, !state.isClosed, state.isEnabled else { return false }
      state.isPosted = true
      return true
    }
    if posts { queue.post("decode video") { [self] in step() } }
  }

  func close() {
    let outputs = state.withLock { state -> [VideoFrameOutput] in
      state.isClosed = true
      state.epoch &+= 1
      state.frames.removeAll()
      state.shown = nil
      state.landing = nil
      let outputs = state.outputs
      state.outputs = []
      return outputs
    }
    for output in outputs { output.flush() }
    queue.post("close video") { [self] in
      dropDecoder()
      queue.close()
    }
  }

  // MARK: Showing

  /// What is to be done about the picture at an item time.
  struct Presentation {
    /// The frame that has become due.
    var frame: VideoFrame?
    /// When the next one is due; nil while none is decoded.
    var next: CMTime?
    /// Frames whose time passed unseen.
    var skipped = 0
    var isDrained = false
  }

  /// Takes the frame due at a time; the decoder goes on when room comes. Late frames give way to the newest due one.
  func present(at time: CMTime) -> Presentation {
    let (presentation, outputs, wakes) = state.withLock { state -> (Presentation, [VideoFrameOutput], Bool) in
      var presentation = Presentation()
      while let first = state.frames.first, first.time <= time {
        if presentation.frame != nil { presentation.skipped += 1 }
        presentation.frame = first
        state.frames.removeFirst()
      }
      if let frame = presentation.frame { state.shown = frame }
      state.lateFrames += presentation.skipped
      if state.lateFrames >= Self.lateFramesBeforeThreads { state.needsThreads = true }
      presentation.next = state.frames.first?.time
      presentation.isDrained = state.isDrained
      state.someoneAwaitsFrame = presentation.next == nil && !state.isDrained
      let wakes = state.waitsForSpace && state.frames.count <= capacity / 2
      return (presentation, state.outputs, wakes)
    }
    if let frame = presentation.frame {
      for output in outputs { output.present(frame, at: time) }
    }
    if wakes { kick() }
    return presentation
  }

  struct Status {
    var shown: VideoFrame?
    /// Time of the last frame that came out of the decoder.
    var lastTime: CMTime?
    var hasFramesAhead: Bool
    var isDrained: Bool
    var isLanding: Bool
    /// What follows can be decoded without a flush.
    var canContinue: Bool
  }

  var status: Status {
    state.withLock {
      Status(
        shown: $0.shown, lastTime: $0.lastTime, hasFramesAhead: !$0.frames.isEmpty, isDrained: $0.isDrained,
        isLanding: $0.landing != nil, canContinue: $0.decoder != nil && $0.flush == nil && $0.shown != nil)
    }
  }

  /// Where the last decoded frame ends.
  var lastEnd: CMTime? { state.withLock { $0.lastEnd } }

  /// Takes the outputs' frames back: a seek begins or another item comes.
  func flushOutputs() {
    for output in state.withLock({ $0.outputs }) { output.flush() }
  }

  // MARK: One step

  private struct Step {
    var epoch: UInt64
    var run: UInt64
    var generation: Generation
    var flush: Begin?
    var decoder: (any VideoDecoder)?
  }

  private func step() {
    let step = state.withLock { state -> Step? in
      state.isPosted = false
      guard !state.isClosed, state.isEnabled else { return nil }
      let step = Step(
        epoch: state.epoch, run: state.run, generation: state.generation, flush: state.flush, decoder: state.decoder)
      state.flush = nil
      return step
    }
    guard let step else { return }
    do throws(MediaError) {
      var decoder: any VideoDecoder
      if let open = step.decoder {
        decoder = open
      } else {
        decoder = try open(step.generation, threads: step.flush == nil ? .playing : .seeking)
      }
      if let flush = step.flush {
        guard moves(to: flush, step) else { return }
        decoder = try flushed(decoder, step)
      }
      if try decodeOne(decoder, step) { kick() }
    } catch {
      reports.failed(step.epoch, error)
    }
  }

  private func open(_ generation: Generation, threads use: DecoderThreads) throws(MediaError) -> any VideoDecoder {
    let lease = DecoderThreadBudget.shared.lease(use.wanted(for: track), for: environment.scheduler)
    return try open(generation, lease)
  }

  private func open(_ generation: Generation, _ lease: DecoderThreadBudget.Lease) throws(MediaError)
    -> any VideoDecoder
  {
    let decoder = try environment.backend.videoDecoder(for: track, threads: lease.threads, generation)
    state.withLock { state in
      state.decoder = decoder
      state.lease = lease
      state.needsThreads = false
    }
    return decoder
  }

  /// False when the place is held no more.
  private func moves(to begin: Begin, _ step: Step) -> Bool {
    guard case .place(let place) = begin, !buffer.move(to: place) else { return true }
    state.withLock { $0.flush = .anew }
    reports.placeLost(step.epoch)
    return false
  }

  /// A decoder that knows of no packet: the same one, or one with the threads that a seek deserves.
  private func flushed(_ decoder: any VideoDecoder, _ step: Step) throws(MediaError) -> any VideoDecoder {
    state.withLock { state in
      state.isDrained = false
      state.isFinishing = false
      state.lastTime = nil
      state.lateFrames = 0
    }
    if let lease = moreThreads() { return try open(step.generation, lease) }
    decoder.flush(step.generation)
    return decoder
  }

  /// A lease of more threads than the decoder has, if it has fewer than a seek deserves and there are any.
  private func moreThreads() -> DecoderThreadBudget.Lease? {
    let threads = state.withLock { $0.lease?.threads ?? 1 }
    let wanted = DecoderThreads.seeking.wanted(for: track)
    guard threads < wanted else { return nil }
    let lease = DecoderThreadBudget.shared.lease(wanted, for: environment.scheduler)
    return lease.threads > threads ? lease : nil
  }

  /// One thread turned out to be too slow: the next closed group of pictures is decoded with more.
  private func changesThreads(at packet: MediaPacket, _ decoder: any VideoDecoder, _ step: Step) throws(MediaError)
    -> (any VideoDecoder)?
  {
    guard packet.isKeyframe, state.withLock({ $0.needsThreads && $0.landing == nil }),
      let start = packet.presentationTime, buffer.followsInOrder(start), let lease = moreThreads()
    else { return nil }
    decoder.finish()
    while case .output(let frame) = try receive(decoder), accept(frame, step) {}
    return try open(step.generation, lease)
  }

  /// Sends one packet at most; true when there may be more to do.
  private func decodeOne(_ decoder: any VideoDecoder, _ step: Step) throws(MediaError) -> Bool {
    var decoder = decoder
    var hasSent = false
    while true {
      guard hasSpace(step.epoch) else { return false }
      switch try receive(decoder) {
      case .output(let frame):
        guard accept(frame, step) else { return true }
      case .end:
        drained(step)
        return false
      case .needsInput:
        if hasSent { return true }
        switch buffer.take(step.generation) {
        case .packet(let packet):
          if let new = try changesThreads(at: packet, decoder, step) { decoder = new }
          try send(packet, to: decoder, step)
          hasSent = true
        case .end:
          let isFirst = state.withLock { state in
            defer { state.isFinishing = true }
            return !state.isFinishing
          }
          guard isFirst else { return false }
          decoder.finish()
        case .wait:
          return false
        }
      }
    }
  }

  private func receive(_ decoder: any VideoDecoder) throws(MediaError) -> Decoded<VideoFrame> {
    do {
      return try decoder.receive()
    } catch {
      try tolerate(error)
      return .needsInput
    }
  }

  private func send(_ packet: MediaPacket, to decoder: any VideoDecoder, _ step: Step) throws(MediaError) {
    do {
      try decoder.send(packet, skippingNonReference: maySkip(packet))
    } catch {
      try tolerate(error)
    }
  }

  /// One damaged packet is no reason to stop; a track of which nothing can be decoded is.
  private func tolerate(_ error: MediaError) throws(MediaError) {
    let count = state.withLock { state in
      state.failuresInARow += 1
      return state.failuresInARow
    }
    if error.code != .decodeFailed || count > 250 { throw error }
  }

  /// Frames that nothing depends on may be left out when another one is to be shown at or before the wanted time.
  private func maySkip(_ packet: MediaPacket) -> Bool {
    guard let start = packet.presentationTime, packet.duration > 0, let end = packet.endTicks else { return false }
    let (goal, isRunning, keepsAll) = state.withLock {
      ($0.landing?.goal, $0.isRunning, $0.outputs.contains(where: \.takesEveryFrame))
    }
    let limit: CMTime
    switch goal {
    case .time(let target): limit = target
    case .steps: return false
    case nil:
      guard isRunning, !keepsAll else { return false }
      limit = timeline.time(of: item)
    }
    guard let ticks = track.timeBase.floorTicks(limit), end <= ticks else { return false }
    return buffer.hasPresentation(after: start, notAfter: ticks)
  }

  private func hasSpace(_ epoch: UInt64) -> Bool {
    let (isFull, outputs) = state.withLock { state -> (Bool, [VideoFrameOutput]) in
      let isFull = state.landing == nil && state.frames.count >= (state.isRunning ? capacity : Self.restingCapacity)
      state.waitsForSpace = isFull
      return (isFull, state.landing == nil ? state.outputs : [])
    }
    guard !isFull else { return false }
    for output in outputs where output.takesEveryFrame {
      guard output.hasRoom(whenRoom: { [weak self] in self?.kick() }) else { return false }
    }
    return true
  }

  /// False when the frame came too late: a flush was asked for.
  private func accept(_ frame: VideoFrame, _ step: Step) -> Bool {
    let following = buffer.nextPresentation(after: frame.presentationTime)
    let next = (time: following.ticks.map { track.timeBase.time($0) }, isCertain: following.isCertain)
    enum Result {
      case void
      case landing
      case landed(VideoFrame, UInt64)
      case queued([VideoFrameOutput], wakes: Bool)
    }
    let result = state.withLock { state -> Result in
      guard state.run == step.run, state.isEnabled, !state.isClosed else { return .void }
      state.failuresInARow = 0
      state.note(frame, track)
      if state.landing != nil {
        guard case .landed(let landed, let following)? = state.landing?.accept(frame, next: next) else {
          return .landing
        }
        state.landed(on: landed)
        if let following { state.frames.append(following) }
        return .landed(landed, state.epoch)
      }
      state.frames.append(frame)
      let wakes = state.someoneAwaitsFrame
      state.someoneAwaitsFrame = false
      return .queued(state.outputs, wakes: wakes)
    }
    switch result {
    case .void: return false
    case .landing: break
    case .landed(let landed, let epoch): deliverLanded(landed, epoch)
    case .queued(let outputs, let wakes):
      for output in outputs { output.put(frame, from: frame.time) }
      if wakes { reports.arrived() }
    }
    return true
  }

  private func deliverLanded(_ frame: VideoFrame, _ epoch: UInt64) {
    let (outputs, ahead, target) = state.withLock { ($0.outputs, $0.frames, $0.target) }
    let from = target.map { CMTimeMinimum($0, frame.time) } ?? frame.time
    for output in outputs {
      output.flush()
      output.put(frame, from: from)
      for next in ahead { output.put(next, from: next.time) }
      output.present(frame, at: from)
    }
    reports.landed(epoch, frame)
    kick()
  }

  private func drained(_ step: Step) {
    struct End {
      var epoch: UInt64
      var isLanding: Bool
      var frame: VideoFrame?
      var end: CMTime?
      var outputs: [VideoFrameOutput]
    }
    let end = state.withLock { state -> End? in
      guard state.run == step.run, !state.isClosed else { return nil }
      state.isDrained = true
      state.endLastFrame(track)
      let isLanding = state.landing != nil
      let frame = state.landing?.end() ?? (isLanding ? state.shown : nil)
      if isLanding { state.landed(on: frame) }
      return End(
        epoch: state.epoch, isLanding: isLanding, frame: frame, end: state.lastEnd, outputs: state.outputs)
    }
    guard let end else { return }
    if end.isLanding {
      if let frame = end.frame { deliverLanded(frame, end.epoch) } else { reports.landed(end.epoch, nil) }
    }
    for output in end.outputs { output.end() }
    reports.ended(end.epoch, end.end)
  }

  private func dropDecoder() {
    state.withLock { state in
      state.decoder = nil
      state.lease = nil
    }
  }
}

extension VideoDecoding.State {
  fileprivate mutating func note(_ frame: VideoFrame, _ track: MediaTrack) {
    if let lastTime, lastTime < frame.time { spacing = frame.time - lastTime }
    lastTime = frame.time
    var duration = frame.timeBase.time(max(frame.duration, 0))
    isLastLengthKnown = true
    if frame.duration <= 0 {
      if let rate = track.video?.nominalFrameRate, rate > 0 {
        duration = CMTime(seconds: 1 / rate, preferredTimescale: 90_000)
      } else {
        duration = spacing ?? .zero
        isLastLengthKnown = spacing != nil
      }
    }
    lastEnd = frame.time + duration
  }

  /// A single frame of unknown length is shown for as long as the container says that the track lasts.
  fileprivate mutating func endLastFrame(_ track: MediaTrack) {
    guard !isLastLengthKnown, let end = lastEnd, track.timeRange.end.isNumeric else { return }
    lastEnd = max(end, track.timeRange.end)
  }

  fileprivate mutating func landed(on frame: VideoFrame?) {
    landing = nil
    shown = frame
    frames.removeAll()
  }

  /// Looks among the frames decoded already; what lies before the target goes.
  fileprivate mutating func landAmongDecoded(_ goal: FrameLanding.Goal) -> VideoFrame? {
    switch goal {
    case .steps(let count):
      if count >= 1, count <= frames.count {
        let frame = frames[count - 1]
        let rest = Array(frames.dropFirst(count))
        landed(on: frame)
        frames = rest
        return frame
      }
      if isDrained {
        let frame = frames.last ?? shown
        landed(on: frame)
        return frame
      }
      landing = FrameLanding(.steps(count - frames.count))
      if let last = frames.last { shown = last }
      frames.removeAll()
      return nil
    case .time(let target):
      let known = (shown.map { [$0] } ?? []) + frames
      guard let index = known.lastIndex(where: { $0.time <= target }) else { return nil }
      let frame = known[index]
      let rest = Array(known.dropFirst(index + 1))
      if !rest.isEmpty || isDrained {
        landed(on: frame)
        frames = rest
        return frame
      }
      frames.removeAll()
      landing = FrameLanding(goal, candidate: frame)
      return nil
    }
  }
}
