package import CoreMedia

/// How far to read ahead, and what to say of it: empty, full, likely to keep up. Pure.
package enum BufferPolicy {
  /// What bounds one track's buffer.
  package struct Goals: Hashable, Sendable {
    /// Reading begins again below this.
    package var lowSeconds: Double
    /// Reading stops when every track holds this much.
    package var highSeconds: Double
    /// Reading stops here unless another track starves.
    package var softBytes: Int
    /// Beyond this a starving track is a typed error.
    package var hardBytes: Int
    package var backBytes: Int
    package var secondsPerTick: Double
  }

  package static let hardBytes = 160 << 20

  /// - Parameters:
  ///   - isLocal: every byte can be read at once.
  ///   - preferred: the app's wish for the forward buffer in seconds; 0 leaves it to us.
  ///   - hasVideo: the item shows a picture; sound alone is read further ahead, in fewer and longer goes.
  /// - Parameter rate: what is played faster is wanted further ahead.
  package static func goals(isLocal: Bool, preferred: Double, hasVideo: Bool, rate: Double = 1, timeBase: TimeBase)
    -> Goals
  {
    var high = isLocal ? (hasVideo ? 2.5 : 20) : (hasVideo ? 30 : 60)
    if preferred > 0, !isLocal { high = min(max(preferred, 1), 300) }
    high *= min(max(rate, 1), 64)
    return Goals(
      lowSeconds: isLocal ? high / 2 : high * 0.8, highSeconds: high, softBytes: isLocal ? 24 << 20 : 64 << 20,
      hardBytes: hardBytes, backBytes: hasVideo ? (isLocal ? 2 << 20 : 6 << 20) : 1 << 20,
      secondsPerTick: timeBase.secondsPerTick)
  }

  package struct Input: Sendable {
    package var isLocal = true
    package var isSeekable = true
    package var duration = CMTime.indefinite
    /// Held times of the tracks that play.
    package var heldRanges: [CMTimeRange] = []
    package var levels: [PacketBuffer.Level] = []
    /// Some track plays; where all are switched off there is nothing to wait for.
    package var needsData = true
    package var preferredForwardBufferDuration = 0.0
    package var rate = 1.0
    /// Seconds of media that arrive per second; nil while not measured.
    package var inflow: Double?
    package var hasVideo = true
    /// Playing has stopped for want of data, and none has come since.
    package var hasRunDry = false

    package init() {}
  }

  package static func state(_ input: Input) -> BufferState {
    var state = BufferState()
    let whole = input.duration.isNumeric ? CMTimeRange(start: .zero, duration: input.duration) : nil
    let hasData = { (level: PacketBuffer.Level) in level.aheadCount > 0 || level.hasEnded || level.heldBytes > 0 }
    if !input.needsData {
      state.loadedRanges = whole.map { [$0] } ?? []
      state.isEmpty = false
      state.isLikelyToKeepUp = true
    } else if input.isLocal {
      // The first data of any track prove that the bytes come; a local file has no other to wait for.
      let hasData = input.levels.contains(where: hasData)
      if let whole { state.loadedRanges = [whole] } else { state.loadedRanges = common(input.heldRanges) }
      state.isEmpty = !hasData
      state.isLikelyToKeepUp = hasData
    } else {
      state.loadedRanges = common(input.heldRanges)
      let ahead = input.levels.filter { !$0.hasEnded }.map(\.aheadSeconds).min()
      state.isEmpty = input.levels.isEmpty || (ahead.map { $0 <= 0 } ?? false) || input.hasRunDry
      state.isFull = isFull(input)
      let hasAll = !input.levels.isEmpty && input.levels.allSatisfy(hasData)
      // What is loaded to the end waits for nothing, although the reader may not have met the end yet.
      let isWhole = whole.map { whole in state.loadedRanges.last.map { $0.end >= whole.end } ?? false } ?? false
      state.isLikelyToKeepUp = hasAll && (isWhole || (ahead.map { isLikely($0, input) } ?? true))
    }
    if input.isSeekable {
      state.seekableRanges = whole.map { [$0] } ?? state.loadedRanges
    } else {
      state.seekableRanges = state.loadedRanges
    }
    return state
  }

  /// Enough to start or go on: a few seconds, less when data come faster than they are played.
  private static func isLikely(_ ahead: Double, _ input: Input) -> Bool {
    let rate = max(abs(input.rate), 1)
    var needed = input.preferredForwardBufferDuration > 0 ? min(input.preferredForwardBufferDuration, 5) : 5
    if let inflow = input.inflow, inflow > 1.2 * rate { needed = min(needed, inflow > 3 * rate ? 0.5 : 2) }
    return ahead >= needed * rate || isFull(input)
  }

  private static func isFull(_ input: Input) -> Bool {
    guard !input.levels.isEmpty else { return false }
    let goals = goals(
      isLocal: input.isLocal, preferred: input.preferredForwardBufferDuration, hasVideo: input.hasVideo,
      rate: input.rate, timeBase: TimeBase(1, 1))
    if input.levels.reduce(0, { $0 + $1.aheadBytes }) >= goals.softBytes { return true }
    let open = input.levels.filter { !$0.hasEnded }
    return !open.isEmpty && open.allSatisfy { $0.aheadSeconds >= goals.highSeconds }
  }

  /// The times that every track holds.
  static func common(_ ranges: [CMTimeRange]) -> [CMTimeRange] {
    guard var result = ranges.first else { return [] }
    for range in ranges.dropFirst() {
      let start = CMTimeMaximum(result.start, range.start)
      let end = CMTimeMinimum(result.start + result.duration, range.start + range.duration)
      guard start < end else { return [] }
      result = CMTimeRange(start: start, end: end)
    }
    return [result]
  }
}
