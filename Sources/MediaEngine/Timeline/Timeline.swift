package import CoreMedia
package import MediaRuntime

/// The player's one clock: a list of spans over the sound device's frames, or host time where there is no sound.
///
/// Everything that asks what time an item has reads this list and nothing else. Any thread, never waits.
package final class Timeline: Sendable {
  private let scheduler: any Scheduler
  private let state = Lock(State())

  fileprivate struct State {
    var sink: (any AudioSink)?
    var spans: [TimelineSpan] = []
    /// Raised by every halt, so that a start on its way knows that it is void.
    var transport: UInt64 = 0
    /// Starts that were asked for at a lower one are void, even if nobody has begun with them yet.
    var firstGood: UInt64 = 0
    /// A halt during the report of an end rests exactly there.
    var caps: [ItemID: CMTime] = [:]
    /// The last answer per item and its generation: time does not go back within one.
    var answered: [ItemID: Answer] = [:]
  }

  fileprivate struct Answer {
    var time: CMTime
    var generation: UInt64
    var rate: Double
  }

  package init(scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  /// The device whose frames `.device` spans count. Set once, before the first of them.
  package func setSink(_ sink: (any AudioSink)?) {
    state.withLock { $0.sink = sink }
  }

  /// Names the transport's state: changes with every `halt` and `interrupt`.
  package var transport: UInt64 { state.withLock { $0.transport } }

  /// The present name for a start that was asked for under an older one; nil when a halt has come since.
  package func renewed(_ transport: UInt64) -> UInt64? {
    state.withLock { transport >= $0.firstGood ? $0.transport : nil }
  }

  /// Adds a stretch that takes over when its start is reached. Later spans of the same item that have not begun go.
  /// - Parameter transport: nothing happens when a halt came after this was read; false then.
  @discardableResult
  package func append(_ span: TimelineSpan, transport: UInt64? = nil) -> Bool {
    let now = Instant(scheduler.now, sink)
    return state.withLock { state in
      guard transport == nil || transport == state.transport else { return false }
      state.spans.removeAll { $0.item == span.item && !now.hasBegun($0) }
      state.prune(now)
      state.spans.append(span)
      return true
    }
  }

  /// The item's time rests here from now on.
  package func rest(_ item: ItemID, at time: CMTime, generation: UInt64) {
    let now = scheduler.now
    state.withLock { state in
      state.spans.removeAll { $0.item == item }
      state.answered[item] = nil
      state.spans.append(
        TimelineSpan(item: item, start: .host(now), mediaTime: time, rate: 0, generation: generation))
    }
  }

  /// A halt that comes while this is set rests here at the latest; while time goes backward, exactly here.
  package func setCap(_ cap: CMTime?, of item: ItemID) {
    state.withLock { $0.caps[item] = cap }
  }

  /// Stops an item's time where it is and answers where; starts on their way are void.
  @discardableResult
  package func halt(_ item: ItemID) -> CMTime {
    let now = Instant(scheduler.now, sink)
    return state.withLock { state in
      defer { state.firstGood = state.transport }
      return state.stop(item, now)
    }
  }

  /// Stops an item's time for the engine's own sake: what is running is void, a start that was asked for and has not
  /// begun is not.
  /// - Returns: the transport's new name.
  @discardableResult
  package func interrupt(_ item: ItemID) -> UInt64 {
    let now = Instant(scheduler.now, sink)
    return state.withLock { state in
      _ = state.stop(item, now)
      return state.transport
    }
  }

  /// Undoes a stretch that was laid out for an item that was to take over: it rests where it began.
  /// - Parameter generation: of that stretch; nothing happens when the item has been placed anew since.
  package func takeBack(_ item: ItemID, to time: CMTime, generation: UInt64) {
    let now = scheduler.now
    state.withLock { state in
      guard state.spans.contains(where: { $0.item == item && $0.rate != 0 && $0.generation == generation }) else {
        return
      }
      state.spans.removeAll { $0.item == item }
      state.answered[item] = nil
      state.spans.append(
        TimelineSpan(item: item, start: .host(now), mediaTime: time, rate: 0, generation: generation))
    }
  }

  /// The running stretch does not pass this item time until told otherwise (nil).
  package func setLimit(_ limit: CMTime?, of item: ItemID) {
    state.withLock { state in
      guard let index = state.spans.lastIndex(where: { $0.item == item }) else { return }
      state.spans[index].limit = limit
    }
  }

  package func forget(_ item: ItemID) {
    state.withLock { state in
      state.spans.removeAll { $0.item == item }
      state.answered[item] = nil
      state.caps[item] = nil
    }
  }

  /// What is heard and shown of an item now; zero for an item that was never placed.
  package func time(of item: ItemID) -> CMTime {
    let now = Instant(scheduler.now, sink)
    return state.withLock { $0.time(of: item, now) }
  }

  /// The rate at which the item's time moves now.
  package func rate(of item: ItemID) -> Double {
    let now = Instant(scheduler.now, sink)
    return state.withLock { $0.active(item, now).map { now.hasBegun($0) ? $0.rate : 0 } ?? 0 }
  }

  /// When an item's time will be (or was) `time` on its newest stretch, or on the one before if that has not given way
  /// by then; nil while it rests.
  package func hostTime(of time: CMTime, in item: ItemID) -> HostTime? {
    let now = Instant(scheduler.now, sink)
    let spans = state.withLock { $0.spans.filter { $0.item == item } }
    guard time.isNumeric, var span = spans.last, span.rate != 0 else { return nil }
    for earlier in spans.dropLast().reversed() {
      let isBefore = span.rate > 0 ? time < span.mediaTime : time > span.mediaTime
      guard isBefore, earlier.rate != 0, !now.hasBegun(span) else { break }
      span = earlier
    }
    let offset = (time - span.mediaTime).seconds / span.rate
    switch span.start {
    case .host(let start): return start + .seconds(offset)
    case .device(let start): return now.hostTime(ofFrame: Double(start) + offset * Double(now.sampleRate))
    }
  }

  /// Time and rate at an instant of host time near the present.
  package func timeAndRate(of item: ItemID, at host: HostTime) -> (time: CMTime, rate: Double) {
    let now = Instant(host, sink)
    return state.withLock { state in
      let rate = state.active(item, now).map { now.hasBegun($0) ? $0.rate : 0 } ?? 0
      let answered = state.answered
      defer { state.answered = answered }
      return (state.time(of: item, now), rate)
    }
  }

  /// The newest stretch of an item.
  package func lastSpan(of item: ItemID) -> TimelineSpan? {
    state.withLock { $0.spans.last { $0.item == item } }
  }

  private var sink: (any AudioSink)? { state.withLock { $0.sink } }
}

/// One reading of both clocks.
private struct Instant {
  let time: HostTime
  let position: AudioPosition?
  let sampleRate: Int

  init(_ time: HostTime, _ sink: (any AudioSink)?) {
    self.time = time
    position = sink?.position()
    sampleRate = max(sink?.format.sampleRate ?? 48_000, 1)
  }

  /// Device frames heard by now, with the fraction that the clock's measured rate gives.
  var frame: Double {
    guard let position else { return 0 }
    guard position.isRunning else { return Double(position.frame) }
    return Double(position.frame) + (time - position.time).seconds * position.measuredRate
  }

  func hostTime(ofFrame frame: Double) -> HostTime {
    guard let position, position.measuredRate > 0 else { return time }
    return (position.isRunning ? position.time : time)
      + .seconds((frame - Double(position.frame)) / position.measuredRate)
  }

  func hasBegun(_ span: TimelineSpan) -> Bool {
    switch span.start {
    case .host(let start): start <= time
    case .device(let start): Double(start) <= frame
    }
  }

  /// Seconds of the span's clock since its start.
  func elapsed(_ span: TimelineSpan) -> CMTime {
    switch span.start {
    case .host(let start):
      return CMTime(value: max(0, (time - start).count), timescale: 1_000_000_000)
    case .device(let start):
      let frames = frame - Double(start)
      guard frames > 0 else { return .zero }
      if frames == frames.rounded() { return CMTime(value: Int64(frames), timescale: Int32(clamping: sampleRate)) }
      let nanoseconds = frames / Double(sampleRate) * 1_000_000_000
      return CMTime(value: Int64(min(nanoseconds.rounded(.down), 9.0e18)), timescale: 1_000_000_000)
    }
  }
}

extension Timeline.State {
  /// Lets an item's time rest where it is, and answers where.
  fileprivate mutating func stop(_ item: ItemID, _ now: Instant) -> CMTime {
    transport &+= 1
    var time = self.time(of: item, now)
    if let cap = caps[item] {
      let isBackward = (active(item, now)?.rate ?? 0) < 0
      time = isBackward ? cap : min(time, cap)
    }
    let generation = spans.last { $0.item == item }?.generation ?? 0
    spans.removeAll { $0.item == item }
    answered[item] = nil
    spans.append(TimelineSpan(item: item, start: .host(now.time), mediaTime: time, rate: 0, generation: generation))
    return time
  }

  /// The item's stretch that has begun last; the one to come when none has.
  fileprivate func active(_ item: ItemID, _ now: Instant) -> TimelineSpan? {
    spans.last { $0.item == item && now.hasBegun($0) } ?? spans.first { $0.item == item }
  }

  fileprivate mutating func time(of item: ItemID, _ now: Instant) -> CMTime {
    guard let span = active(item, now) else { return .zero }
    guard span.rate != 0 else { return span.mediaTime }
    var elapsed = now.elapsed(span)
    if let successor = spans.last(where: { now.hasBegun($0) }), successor.item != item,
      case (.device(let from), .device(let to)) = (span.start, successor.start)
    {
      elapsed = min(elapsed, CMTime(value: max(0, to - from), timescale: Int32(clamping: now.sampleRate)))
    }
    if span.rate != 1 { elapsed = CMTimeMultiplyByFloat64(elapsed, multiplier: span.rate) }
    // Where two time scales have no common one, a sum is rounded, and could lie before the place it starts from.
    let sum = elapsed.value == 0 ? span.mediaTime : span.mediaTime + elapsed
    var time = span.rate > 0 ? max(sum, span.mediaTime) : min(sum, span.mediaTime)
    if let limit = span.limit {
      time = span.rate > 0 ? min(time, max(limit, span.mediaTime)) : max(time, min(limit, span.mediaTime))
    }
    if let last = answered[item], last.generation == span.generation, last.rate * span.rate > 0 {
      time = span.rate > 0 ? max(time, last.time) : min(time, last.time)
    }
    answered[item] = Timeline.Answer(time: time, generation: span.generation, rate: span.rate)
    return time
  }

  /// Lets go of spans that another one of the same item has replaced.
  fileprivate mutating func prune(_ now: Instant) {
    guard spans.count > 4 else { return }
    var seen: Set<ItemID> = []
    var kept: [TimelineSpan] = []
    for span in spans.reversed() {
      let hasBegun = now.hasBegun(span)
      if !hasBegun || seen.insert(span.item).inserted { kept.append(span) }
    }
    spans = kept.reversed()
  }
}
