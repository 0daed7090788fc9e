import CoreMedia
import MediaIO
import MediaRuntime

/// One video track played backward from a place: frames in descending order, decoded ahead of the time that they are
/// shown.
///
/// Reads the medium a second time, so that the forward pipeline keeps its place, and what it holds is bounded by bytes.
/// Lives for one run; the sound is silent meanwhile.
final class ReverseVideo: Sendable {
  /// Called on the medium's queue.
  struct Reports: Sendable {
    /// Frames came after there was none to show next, or it is certain that none comes.
    var arrived: @Sendable () -> Void
    var failed: @Sendable (MediaError) -> Void
  }

  /// Where playing backward begins.
  struct Start: Sendable {
    /// Frames of earlier times are to be shown.
    var before: CMTime
    /// The magnitude of the rate.
    var rate: Double
  }

  fileprivate struct Waiting {
    var frame: VideoFrame
    /// It is shown when time has come down to this: where the frame behind it begins.
    var due: CMTime
  }

  fileprivate struct State {
    var source: (any ByteSource)?
    var media: OpenedMedia?
    /// Descending.
    var frames: [Waiting] = []
    var lastDue: CMTime
    var rate: Double
    var isPosted = false
    var isDrained = false
    var isClosed = false
    var someoneAwaitsFrame = true
  }

  private let item: ItemID
  private let track: MediaTrack
  private let environment: EngineEnvironment
  private let timeline: Timeline
  private let before: CMTime
  private let reports: Reports
  private let state: Lock<State>
  private let worker = ReverseWorker()
  private let live = LiveObject(.videoDecoding)

  /// Frames of one piece; as many again may wait to be shown.
  let capacity: Int
  /// Bytes of decoded frames in one piece.
  private static let pieceSize = 64 << 20

  init(
    item: ItemID, track: MediaTrack, environment: EngineEnvironment, timeline: Timeline, start: Start, reports: Reports
  ) {
    self.item = item
    self.track = track
    self.environment = environment
    self.timeline = timeline
    before = start.before
    self.reports = reports
    capacity = Self.capacity(track.video)
    state = Lock(State(lastDue: start.before, rate: start.rate))
  }

  static func capacity(_ format: VideoFormat?) -> Int {
    guard let format else { return 2 }
    return min(max(pieceSize / format.pictureSize, 2), 64)
  }

  // MARK: Commands

  func begin(_ asset: AssetCore) {
    let source = asset.openAnother { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let media): self.opened(media)
      case .failure(let error): self.fail(error)
      }
    }
    let isClosed = state.withLock { state in
      if state.media == nil { state.source = source }
      return state.isClosed
    }
    if isClosed { source?.want(.first.next) }
  }

  func setRate(_ rate: Double) {
    state.withLock { $0.rate = rate.magnitude }
  }

  func close() {
    let (source, media) = state.withLock { state in
      defer {
        state.source = nil
        state.media = nil
        state.frames = []
      }
      state.isClosed = true
      return (state.source, state.media)
    }
    source?.want(.first.next)
    media?.source.want(media?.generation.next ?? .first.next)
    media?.queue.post("close backward decoding") { [worker] in worker.decoding = nil }
  }

  // MARK: Showing

  /// Takes the frame due at a time; decoding goes on when there is room.
  func present(at now: CMTime, slack: CMTime) -> FramePresentation {
    let time = now - slack
    let (presentation, wakes) = state.withLock { state -> (FramePresentation, Bool) in
      var presentation = FramePresentation()
      let due = state.frames.prefix { $0.due >= time }.count
      if due > 0 {
        presentation.frame = state.frames[due - 1].frame
        presentation.skipped = due - 1
        state.frames.removeFirst(due)
      }
      presentation.next = state.frames.first?.due
      presentation.isDrained = state.isDrained
      state.someoneAwaitsFrame = presentation.next == nil && !state.isDrained
      return (presentation, state.hasRoom(capacity))
    }
    if wakes { kick() }
    return presentation
  }

  // MARK: Decoding

  private func opened(_ media: OpenedMedia) {
    let isClosed = state.withLock { state in
      state.source = nil
      if !state.isClosed { state.media = media }
      return state.isClosed
    }
    if !isClosed { kick() }
  }

  private func kick() {
    let media = state.withLock { state -> OpenedMedia? in
      guard !state.isPosted, !state.isClosed, !state.isDrained, let media = state.media else { return nil }
      state.isPosted = true
      return media
    }
    media?.queue.post("decode backward") { [weak self] in self?.step(media) }
  }

  private func step(_ media: OpenedMedia?) {
    let rate = state.withLock { state -> Double? in
      state.isPosted = false
      return state.isClosed || !state.hasRoom(capacity) ? nil : state.rate
    }
    guard let media, let rate else { return }
    do throws(MediaError) {
      let decoding = worker.decoding ?? makeDecoding(media)
      worker.decoding = decoding
      let demand = ReverseDecoding.Demand(capacity: capacity, rate: rate) { [timeline, item] in timeline.time(of: item)
      }
      switch try decoding.advance(demand) {
      case .working: kick()
      case .piece(let frames): take(frames)
      case .done: take([])
      }
    } catch {
      if error.code != .interrupted { fail(error) }
    }
  }

  private func makeDecoding(_ media: OpenedMedia) -> ReverseDecoding {
    ReverseDecoding(
      media, track, before: track.timeBase.floorTicks(before) ?? 0, backend: environment.backend,
      scheduler: environment.scheduler)
  }

  private func take(_ frames: [VideoFrame]) {
    let (tells, goesOn) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed else { return (false, false) }
      state.isDrained = frames.isEmpty
      for frame in frames {
        state.frames.append(Waiting(frame: frame, due: state.lastDue))
        state.lastDue = frame.time
      }
      defer { state.someoneAwaitsFrame = false }
      return (state.someoneAwaitsFrame, state.hasRoom(capacity))
    }
    if tells { reports.arrived() }
    if goesOn { kick() }
  }

  private func fail(_ error: MediaError) {
    let tells = state.withLock { state in
      defer { state.isDrained = true }
      return !state.isClosed
    }
    if tells { reports.failed(error) }
  }
}

extension ReverseVideo.State {
  fileprivate func hasRoom(_ capacity: Int) -> Bool { !isDrained && frames.count <= capacity / 2 }
}

// @unchecked Sendable: the medium's queue alone touches it.
private final class ReverseWorker: @unchecked Sendable {
  var decoding: ReverseDecoding?
}
