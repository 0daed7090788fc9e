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
  let item: ItemID
  let environment: EngineEnvironment
  let queue: SerialQueue
  let timeline: Timeline
  let reports: Reports
  let meter: ItemMeter
  let state = Lock(State())
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

  /// Bytes and count that bound the decoded frames ahead.
  let capacity: Int
  /// While time stands, one frame is enough for a step, and the next seek does not wait for more of them.
  static let restingCapacity = 1
  private static let lateFramesBeforeThreads = 3

  init(
    item: ItemID, track: MediaTrack, buffer: PacketBuffer, environment: EngineEnvironment, timeline: Timeline,
    meter: ItemMeter, generation: Generation, reports: Reports
  ) {
    self.item = item
    self.track = track
    self.buffer = buffer
    self.environment = environment
    self.timeline = timeline
    self.reports = reports
    self.meter = meter
    queue = environment.scheduler.queue("video \(item.number)", .light)
    capacity = Self.capacity(track.video)
    state.withLock { $0.generation = generation }
    buffer.setConsumer { [weak self] in self?.kick() }
  }

  static func capacity(_ format: VideoFormat?) -> Int {
    guard let format else { return 4 }
    return min(max((10 << 20) / format.pictureSize, 2), 5)
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
      state.leftOut = []
      if case .time(let target) = goal { state.target = target } else { state.target = nil }
      guard case .here = begin else {
        state.flush = begin
        state.run &+= 1
        state.frames.removeAll()
        state.shown = nil
        state.isDrained = false
        state.endPeek()
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

  /// While running, frames whose time is over need not be decoded, and more are held ahead.
  func setRunning(_ running: Bool, rate: Float = 1) {
    let wakes = state.withLock { state in
      state.isRunning = running
      state.rate = Double(rate)
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
      for frame in (shown.map { [$0] } ?? []) + frames { output.put(frame, from: frame.time, of: item) }
      if let shown { output.present(shown, at: shown.time, of: item) }
    }
    kick()
  }

  func kick() {
    let posts = state.withLock { state in
      guard !state.isPosted, !state.isClosed else { return false }
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
      state.endPeek()
      state.lookTicket?.cancel()
      let outputs = state.outputs
      state.outputs = []
      return outputs
    }
    for output in outputs { output.flush(of: item) }
    queue.post("close video") { [self] in
      dropDecoder()
      queue.close()
    }
  }

  // MARK: Showing

  /// Takes the frame due at a time; the decoder goes on when room comes. Late frames give way to the newest due one.
  /// - Parameter slack: a frame that is due so much later is taken too.
  func present(at now: CMTime, slack: CMTime) -> FramePresentation {
    let time = now + slack
    let (presentation, outputs, wakes) = state.withLock { state -> (FramePresentation, [VideoFrameOutput], Bool) in
      var presentation = FramePresentation()
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
      // Until its own time, outputs answer with the frame before it.
      for output in outputs { output.present(frame, at: now, of: item) }
    }
    meter.drop(presentation.skipped)
    if wakes { kick() }
    return presentation
  }

  struct Status {
    var shown: VideoFrame?
    var isLanding: Bool
    /// What follows can be decoded without a flush.
    var canContinue: Bool
  }

  var status: Status {
    state.withLock {
      Status(
        shown: $0.shown, isLanding: $0.landing != nil,
        canContinue: $0.decoder != nil && $0.flush == nil && $0.shown != nil && $0.skim == nil)
    }
  }

  /// Where the last decoded frame ends.
  var lastEnd: CMTime? { state.withLock { $0.lastEnd } }
}
