internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// Reads one source position into the buffers of its tracks, one packet per step, on the source's own queue.
///
/// It stops when every track holds enough and is called back by the first buffer that runs low. A newer generation
/// interrupts a read that waits; whatever such a read still returns is dropped.
final class SourceLoop: Sendable {
  /// Called on the source's queue.
  struct Reports: Sendable {
    var failed: @Sendable (MediaError, Generation) -> Void
    var described: @Sendable (MediaDescription) -> Void
    /// Something about the buffers changed that may be worth telling: first data, an end, time passing.
    var progressed: @Sendable () -> Void
    /// It reads again after a rest: whoever watches the buffers had stopped.
    var resumed: @Sendable () -> Void
    /// A track starves while others are full.
    var starving: @Sendable (Set<Int>) -> Void
  }

  let media: OpenedMedia
  let buffers: [Int: PacketBuffer]
  private let goals: Lock<BufferPolicy.Goals>
  private let reports: Reports
  private let scheduler: any Scheduler
  private let meter: ItemMeter
  private let state: Lock<State>

  private struct State {
    /// Tracks of subtitles that are shown. They are read with the others, and never a reason to read.
    var feeds: [Int: [SubtitleFeed]] = [:]
    var generation: Generation
    var seek: CMTime?
    var showsKeyframe = false
    var keepsBuffers = false
    /// After a second position opened: packets up to these times are held already.
    var resumeAfter: [Int: Int64] = [:]
    var selected: Set<Int>
    var selectionChanged = true
    var isPosted = false
    var isFilling = true
    var hasEnded = false
    var hasFailed = false
    var isClosed = false
    var isPaused = true
    var hadData = false
    /// Every track held enough when the last step looked.
    var isResting = false
    var isStepping = false
    /// Behind the next packet of this track nothing is read before a decoder asks for it.
    var restsBehind: Int?
    var awaitsDemand = false
    var reportedStarving: Set<Int> = []
  }

  init(
    media: OpenedMedia, buffers: [Int: PacketBuffer], goals: BufferPolicy.Goals, scheduler: any Scheduler,
    meter: ItemMeter, reports: Reports
  ) {
    self.media = media
    self.buffers = buffers
    self.goals = Lock(goals)
    self.reports = reports
    self.scheduler = scheduler
    self.meter = meter
    state = Lock(State(generation: media.generation, selected: Set(buffers.keys)))
  }

  /// Begins reading where the source stands.
  func start() {
    state.withLock { $0.isPaused = false }
    kick()
  }

  /// Everything read so far is void: the buffers are emptied and reading goes on at the key frame for a time.
  /// - Parameters:
  ///   - keepsBuffers: what is held stays, and what is delivered again is left out.
  ///   - showsKeyframe: the key frame may be where playing goes on.
  ///   - restsBehind: a track of whose packets only the first may be needed: the others are read on demand.
  func seek(
    to target: CMTime, _ generation: Generation, keepsBuffers: Bool = false, showsKeyframe: Bool = false,
    restsBehind track: Int? = nil
  ) {
    // Before the source can learn of the seek: a step that is under way may deliver its first packets at once.
    if !keepsBuffers {
      for buffer in buffers.values { buffer.restart(generation) }
    }
    state.withLock { state in
      state.generation = generation
      state.seek = target
      state.showsKeyframe = showsKeyframe
      state.keepsBuffers = keepsBuffers
      state.isFilling = true
      state.hasEnded = false
      state.hasFailed = false
      state.isPaused = false
      state.hadData = false
      state.restsBehind = track
      state.awaitsDemand = false
      state.reportedStarving = []
    }
    media.source.want(generation)
    kick()
  }

  /// Ends a rest behind a key frame: more than the picture is going to be wanted.
  func readOn() {
    let wasResting = state.withLock { state in
      defer {
        state.restsBehind = nil
        state.awaitsDemand = false
      }
      return state.restsBehind != nil || state.awaitsDemand
    }
    if wasResting { kick() }
  }

  /// Which of the tracks are read from here on.
  func select(_ tracks: Set<Int>) {
    state.withLock { state in
      state.selected = tracks
      state.selectionChanged = true
      state.reportedStarving.formIntersection(tracks)
    }
    kick()
  }

  /// Which tracks of subtitles are read from here on.
  func feed(_ feeds: [Int: [SubtitleFeed]]) {
    state.withLock { state in
      state.feeds = feeds
      state.selectionChanged = true
    }
    kick()
  }

  func setGoals(_ new: BufferPolicy.Goals) {
    goals.withLock { $0 = new }
    kick()
  }

  /// A buffer ran low, or something else gives a reason to look again.
  func kick() {
    let posts = state.withLock { state in
      guard !state.isPosted, !state.isClosed, !state.isPaused else { return false }
      state.isPosted = true
      return true
    }
    if posts { media.queue.post("read packet") { [self] in step() } }
  }

  func close() {
    let generation = state.withLock { state in
      state.isClosed = true
      state.generation = state.generation.next
      return state.generation
    }
    media.source.want(generation)
  }

  // MARK: One step

  private enum Work {
    case idle
    case seek(CMTime, Generation)
    case read(Generation)
  }

  private func step() {
    let (work, selection) = state.withLock { state -> (Work, Set<Int>?) in
      state.isPosted = false
      state.isStepping = true
      guard !state.isClosed else { return (.idle, nil) }
      let selection = state.selectionChanged ? state.selected.union(state.feeds.keys) : nil
      state.selectionChanged = false
      if let target = state.seek {
        state.seek = nil
        return (.seek(target, state.generation), selection)
      }
      guard !state.hasEnded, !state.hasFailed else { return (.idle, selection) }
      return (.read(state.generation), selection)
    }
    defer { state.withLock { $0.isStepping = false } }
    if let selection { media.demuxer.select(selection) }
    switch work {
    case .idle:
      break
    case .seek(let target, let generation):
      seekNow(target, generation)
      kick()
    case .read(let generation):
      let isWanted = !awaitsDemand() && wantsMore()
      let wasResting = state.withLock { state in
        defer { state.isResting = !isWanted }
        return state.isResting
      }
      if mayWait, !isWanted { reports.progressed() }
      if mayWait, isWanted, wasResting { reports.resumed() }
      guard isWanted else { return }
      if read(generation) { kick() }
    }
  }

  private func seekNow(_ target: CMTime, _ generation: Generation) {
    let (keeps, showsKeyframe) = state.withLock { state in
      state.resumeAfter = [:]
      return (state.keepsBuffers, state.showsKeyframe)
    }
    if keeps {
      let held = buffers.compactMapValues(\.lastDecodeTime)
      state.withLock { $0.resumeAfter = held }
    }
    do {
      try media.demuxer.seek(to: target, showsKeyframe: showsKeyframe, generation)
    } catch {
      guard isCurrent(generation) else { return }
      fail(error, generation)
    }
  }

  /// Reads one packet; true when there may be more.
  private func read(_ generation: Generation) -> Bool {
    let sample: DemuxedSample
    let begin = scheduler.now
    do {
      sample = try media.demuxer.read(generation)
    } catch {
      guard isCurrent(generation) else { return true }
      fail(error, generation)
      return false
    }
    // Told once, whatever is read next.
    if case .description(let description) = sample {
      reports.described(description)
      return true
    }
    guard isCurrent(generation) else { return true }
    switch sample {
    case .packet(let packet):
      meter.read(packet, of: buffers[packet.track]?.track, in: scheduler.now - begin)
      guard let buffer = buffers[packet.track], isSelected(packet.track) else {
        for feed in state.withLock({ $0.feeds[packet.track] }) ?? [] { feed.append(packet) }
        return true
      }
      guard !isHeld(packet) else { return true }
      buffer.append(packet)
      restIfBehind(packet)
      report()
      return true
    case .description: return true
    case .end:
      // A seek that came meanwhile reads on.
      guard stops(generation, { $0.hasEnded = true }) else { return true }
      endBuffers(generation)
      reports.progressed()
      return false
    }
  }

  private func isHeld(_ packet: MediaPacket) -> Bool {
    state.withLock { state in
      guard let last = state.resumeAfter[packet.track] else { return false }
      if let time = packet.decodeTime ?? packet.presentationTime, time <= last { return true }
      state.resumeAfter[packet.track] = nil
      return false
    }
  }

  /// Nothing more is read unless a newer seek has come; false when it has.
  private func stops(_ generation: Generation, _ note: (inout State) -> Void) -> Bool {
    state.withLock { state in
      guard state.generation == generation, state.seek == nil, !state.isClosed else { return false }
      note(&state)
      return true
    }
  }

  private func fail(_ error: MediaError, _ generation: Generation) {
    guard stops(generation, { $0.hasFailed = true }) else { return }
    reports.failed(error, generation)
    endBuffers(generation)
  }

  private func endBuffers(_ generation: Generation) {
    let selected = state.withLock { $0.selected }
    for (track, buffer) in buffers where selected.contains(track) { buffer.end(generation) }
    for feed in state.withLock({ $0.feeds }).values.joined() { feed.end() }
  }

  private func isCurrent(_ generation: Generation) -> Bool {
    state.withLock { $0.generation == generation && !$0.isClosed && $0.seek == nil }
  }

  private func isSelected(_ track: Int) -> Bool {
    state.withLock { $0.selected.contains(track) }
  }

  // MARK: How much

  private func restIfBehind(_ packet: MediaPacket) {
    state.withLock { state in
      guard state.restsBehind == packet.track, state.generation == packet.generation, state.seek == nil else { return }
      state.restsBehind = nil
      state.awaitsDemand = true
    }
  }

  /// Whether nothing is to be read before a decoder asks; when so, the buffers call back.
  private func awaitsDemand() -> Bool {
    let (awaits, selected) = state.withLock { ($0.awaitsDemand, $0.selected) }
    guard awaits else { return false }
    var isAsked = false
    for (track, buffer) in buffers where selected.contains(track) && !buffer.sourceMayAwaitDemand() { isAsked = true }
    guard isAsked else { return true }
    state.withLock { $0.awaitsDemand = false }
    return false
  }

  /// Whether to read on; when not, the buffers call back.
  private func wantsMore() -> Bool {
    let goals = goals.withLock { $0 }
    let selected = state.withLock { $0.selected }
    // Asked for every packet: nothing here allocates before the buffers are full.
    var (count, bytes) = (0, 0)
    var (isLow, isHigh) = (false, true)
    for (track, buffer) in buffers where selected.contains(track) {
      let level = buffer.level
      count += 1
      bytes += level.aheadBytes
      guard level.isNeedy else { continue }
      if level.aheadSeconds < goals.lowSeconds { isLow = true }
      if level.aheadSeconds < goals.highSeconds { isHigh = false }
    }
    guard count > 0 else { return false }
    let isFilling = state.withLock { state in
      if isLow { state.isFilling = true }
      if isHigh { state.isFilling = false }
      return state.isFilling
    }
    if bytes >= goals.softBytes {
      let starving = starving(selected)
      guard !starving.isEmpty, count > starving.count else { return idle(selected) }
      if bytes >= goals.hardBytes {
        fail(Self.tooWide(media.source.address), state.withLock { $0.generation })
        return false
      }
      reportStarving(starving)
      return true
    }
    return isFilling || idle(selected)
  }

  private func starving(_ selected: Set<Int>) -> Set<Int> {
    Set(
      buffers.keys.filter { track in
        guard selected.contains(track), let level = buffers[track]?.level else { return false }
        return level.isNeedy && level.aheadSeconds <= 0.1
      })
  }

  /// Arms the buffers' calls; true when one is low already.
  private func idle(_ selected: Set<Int>) -> Bool {
    var isLow = false
    for (track, buffer) in buffers where selected.contains(track) && !buffer.sourceMayIdle() { isLow = true }
    return isLow
  }

  private static func tooWide(_ address: String) -> MediaError {
    MediaError(
      .containerInterleaveTooWide,
      "Sound and picture lie too far apart in the file to play it in order. Remux it with interleaved tracks.",
      address: address)
  }

  private func reportStarving(_ tracks: Set<Int>) {
    let isNew = state.withLock { state in
      guard state.reportedStarving != tracks else { return false }
      state.reportedStarving = tracks
      return true
    }
    if isNew { reports.starving(tracks) }
  }

  /// Whether reading goes on, so that the buffers' state may change at any time.
  var isReading: Bool {
    state.withLock { !$0.isClosed && !$0.hasEnded && !$0.hasFailed && ($0.isPosted || $0.isStepping) }
  }

  private var mayWait: Bool { media.source.availableRanges != nil || media.source.mayBlock }

  /// Tells of the first packet; whoever listens looks again by itself while reading goes on.
  private func report() {
    let isFirst = state.withLock { state in
      defer { state.hadData = true }
      return !state.hadData
    }
    if isFirst { reports.progressed() }
  }
}
