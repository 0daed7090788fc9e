package import CoreMedia

/// The cues of one track or file by time: what is shown when, and when that changes next.
///
/// Cues may come in any order, and again after a seek. One with an open end is shown up to the next cue of the track that
/// begins later, whatever that shows.
package struct CueTimeline: Sendable {
  /// Moves all cues: positive shows them later.
  package var delay = CMTime.zero
  /// Ascending by their start, as they came where that is equal.
  private var cues: [SubtitleCue] = []
  /// The latest end of each cue and all before it, so that a search knows where it may stop.
  private var reach: [CMTime] = []

  private var pixelBytes = 0

  package init(_ cues: [SubtitleCue] = []) {
    // Cues of a file are no repetitions, even where they are equal.
    self.cues = cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(
      \.element)
    pixelBytes = cues.reduce(0) { $0 + $1.pixelBytes }
    measure(from: 0)
  }

  package var count: Int { cues.count }

  /// Takes a cue in, once, however often it comes.
  package mutating func insert(_ cue: SubtitleCue) {
    guard cues.count < SubtitleLimits.cues, cue.start.isNumeric else { return }
    let place = firstIndex { $0.start > cue.start }
    var before = place
    while before > 0, cues[before - 1].start == cue.start {
      before -= 1
      if cues[before] == cue { return }
    }
    cues.insert(cue, at: place)
    pixelBytes += cue.pixelBytes
    // The end of an open one before it may have come nearer.
    measure(from: before)
  }

  /// What is shown at an item time, in order of beginning. Nothing that has no content.
  package func shown(at time: CMTime) -> [SubtitleCue] {
    guard time.isNumeric else { return [] }
    let time = time - delay
    var shown: [SubtitleCue] = []
    var index = firstIndex { $0.start > time }
    while index > 0, reach[index - 1] > time {
      index -= 1
      if end(of: index) > time { shown.append(cues[index]) }
    }
    return shown.reversed().filter(\.hasContent)
  }

  /// The first item time after this one at which something begins or ends; nil when nothing will.
  package func nextChange(after time: CMTime) -> CMTime? {
    guard time.isNumeric else { return nil }
    let time = time - delay
    let next = firstIndex { $0.start > time }
    var change = next < cues.count ? cues[next].start : CMTime.positiveInfinity
    var index = next
    while index > 0, reach[index - 1] > time {
      index -= 1
      let end = end(of: index)
      if end > time { change = min(change, end) }
    }
    return change.isNumeric ? change + delay : nil
  }

  /// The last item time before this one at which something begins or ends, for who plays backward; nil without any.
  package func lastChange(before time: CMTime) -> CMTime? {
    guard time.isNumeric else { return nil }
    let time = time - delay
    var index = firstIndex { $0.start >= time }
    var change = index > 0 ? cues[index - 1].start : .negativeInfinity
    while index > 0, reach[index - 1] > change {
      index -= 1
      let end = end(of: index)
      if end < time { change = max(change, end) }
    }
    return change.isNumeric ? change + delay : nil
  }

  /// Lets go of pictures beyond so many bytes: those farthest from a time, first of what is past.
  /// - Returns: the end of the last one let go of that began before the time; nil when none was.
  mutating func trim(toPixelBytes limit: Int, around time: CMTime) -> CMTime? {
    guard pixelBytes > limit else { return nil }
    let time = time - delay
    var dropped = Set<Int>()
    var gone: CMTime?
    let past = cues.indices.prefix { cues[$0].start < time && reach[$0] <= time }
    for index in Array(past) + cues.indices.dropFirst(past.count).reversed() where pixelBytes > limit {
      let bytes = cues[index].pixelBytes
      guard bytes > 0 else { continue }
      pixelBytes -= bytes
      dropped.insert(index)
      if index < past.count { gone = cues[index].start + delay }
    }
    cues = cues.indices.filter { !dropped.contains($0) }.map { cues[$0] }
    reach = []
    measure(from: 0)
    return gone
  }

  private func end(of index: Int) -> CMTime {
    let cue = cues[index]
    guard !cue.end.isNumeric else { return cue.end }
    let next = firstIndex { $0.start > cue.start }
    return next < cues.count ? cues[next].start : .positiveInfinity
  }

  private mutating func measure(from start: Int) {
    // An open cue's end depends on what follows those that begin with it; the one before may be open as well.
    var first = min(start, cues.count)
    if first > 0 { first = firstIndex { $0.start >= cues[first - 1].start } }
    reach.removeSubrange(min(first, reach.count)...)
    for index in first..<cues.count {
      let end = end(of: index)
      reach.append(index > 0 ? max(reach[index - 1], end) : end)
    }
  }

  /// The first cue for which it holds; it holds for all behind it.
  private func firstIndex(where holds: (SubtitleCue) -> Bool) -> Int {
    var (low, high) = (0, cues.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(cues[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension SubtitleCue {
  /// Whether there is anything to see; a cue without takes away what was shown.
  package var hasContent: Bool {
    switch content {
    case .text(let text): !text.isEmpty
    case .script(let event, _): !event.text.isEmpty
    case .pictures(let pictures): !pictures.isEmpty
    }
  }
}
