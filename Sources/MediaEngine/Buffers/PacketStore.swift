internal import CoreMedia

/// The packets of one track that are held: those a decoder has had (the back buffer) and those to come.
///
/// A pure value; `PacketBuffer` puts it behind a lock. Times are ticks of the track's time base.
package struct PacketStore: Sendable {
  /// How much is kept behind the reading place.
  package var backLimit: Int

  private var packets: [MediaPacket] = []
  /// Position in `packets` of the oldest one held; those before it are empty and go in bulk.
  private var head = 0
  private var cursor = 0
  private var keyframes: [Int] = []
  private var removed = 0
  private var lastKeyframe: Int64?
  /// The longest way from key frame to key frame seen so far.
  private var longestGroup: Int64 = 0
  /// The greatest end of all packets held.
  private var endTicks: Int64?

  /// Bytes with what holding the packets takes (`MediaPacket.cost`).
  package private(set) var aheadBytes = 0
  package private(set) var backBytes = 0

  package init(backLimit: Int) {
    self.backLimit = backLimit
  }

  package var aheadCount: Int { packets.count - cursor }
  package var heldBytes: Int { aheadBytes + backBytes }

  package mutating func append(_ packet: MediaPacket) {
    if packet.isKeyframe, let time = packet.startTicks {
      if let last = lastKeyframe, time > last { longestGroup = max(longestGroup, time - last) }
      lastKeyframe = time
    }
    if packet.isKeyframe { keyframes.append(packets.count + removed) }
    packets.append(packet)
    aheadBytes += packet.cost
    if let end = packet.endTicks { endTicks = max(endTicks ?? end, end) }
  }

  package var next: MediaPacket? { cursor < packets.count ? packets[cursor] : nil }

  /// The next packet in decoding order; it stays in the back buffer.
  package mutating func take() -> MediaPacket? {
    guard cursor < packets.count else { return nil }
    let packet = packets[cursor]
    cursor += 1
    aheadBytes -= packet.cost
    backBytes += packet.cost
    trimBack()
    return packet
  }

  package mutating func removeAll() {
    removed = 0
    lastKeyframe = nil
    packets.removeAll(keepingCapacity: packets.count < 4096)
    keyframes.removeAll(keepingCapacity: true)
    head = 0
    cursor = 0
    aheadBytes = 0
    backBytes = 0
    endTicks = nil
  }

  /// From the next packet's time to the end of the last: what can be decoded without reading on.
  package var aheadTicks: Int64 {
    guard cursor < packets.count, let endTicks else { return 0 }
    let next = packets[cursor]
    guard let start = [next.decodeTime, next.presentationTime].compactMap({ $0 }).min() else { return 0 }
    return max(0, endTicks &- start)
  }

  /// The times held, back buffer included; nil without a timed packet.
  package var heldTicks: Range<Int64>? {
    guard let endTicks else { return nil }
    let first = firstHeldKeyframe.map { $0 - removed } ?? head
    guard first < packets.count, let start = packets[first].startTicks, start < endTicks else { return nil }
    return start..<endTicks
  }

  /// Key frames that were let go of stay in the list until the packets go in bulk.
  private var firstHeldKeyframe: Int? {
    var (low, high) = (0, keyframes.count)
    while low < high {
      let middle = (low + high) / 2
      if keyframes[middle] - removed < head { low = middle + 1 } else { high = middle }
    }
    return low < keyframes.count ? keyframes[low] : nil
  }

  package var lastDecodeTime: Int64? { packets.last.flatMap { $0.decodeTime ?? $0.presentationTime } }

  package var end: Int64? { endTicks }

  /// The presentation times that follow `ticks` among the packets held near the reading place.
  ///
  /// `isCertain` when enough packets lie ahead that reordering can bring no earlier one.
  package func nextPresentation(after ticks: Int64, hasEnded: Bool) -> (ticks: Int64?, isCertain: Bool) {
    let reach = 32
    var next: Int64?
    let from = max(head, cursor - reach)
    let to = min(packets.count, cursor + reach)
    for index in from..<max(from, to) {
      guard let time = packets[index].presentationTime else { return (nil, false) }
      if time > ticks { next = min(next ?? time, time) }
    }
    return (next, hasEnded || packets.count - cursor >= 16)
  }

  package func hasPresentation(after ticks: Int64, notAfter limit: Int64) -> Bool {
    let from = max(head, cursor - 16)
    for index in from..<max(from, min(packets.count, cursor + 32)) {
      if let time = packets[index].presentationTime, time > ticks, time <= limit { return true }
    }
    return false
  }

  /// Whether enough packets lie ahead to tell, and none of them is presented before a time.
  package func followsInOrder(_ ticks: Int64) -> Bool {
    let next = packets[cursor..<min(packets.count, cursor + 16)]
    return next.count >= 8 && next.allSatisfy { ($0.presentationTime ?? .min) >= ticks }
  }

  package func presentation(_ count: Int, before ticks: Int64) -> Int64? {
    guard count > 0, let first = keyframes.first(where: { $0 - removed >= head }) else { return nil }
    let times = packets[min(max(first - removed, head), packets.count)...].compactMap(\.presentationTime)
    let earlier = times.filter { $0 < ticks }.sorted()
    return count <= earlier.count ? earlier[earlier.count - count] : nil
  }

  /// Whether a time lies behind what is held, yet so near that reading on comes to it before any useful key frame.
  /// - Parameter reach: ticks that are always near.
  package func isReachedByReadingOn(_ ticks: Int64, reach: Int64) -> Bool {
    guard let endTicks, ticks >= endTicks, let lastKeyframe else { return false }
    // The time may be any that an app asks for; the rest is the packets' own.
    return ticks < lastKeyframe + longestGroup || ticks < endTicks + reach
  }

  // MARK: Moving the reading place

  /// A place to read on from.
  package struct Place: Hashable, Sendable {
    /// Counts from the first packet ever appended.
    let number: Int
    /// Time of the packet there.
    package let ticks: Int64
    /// The reading place has not reached it yet.
    package let isAhead: Bool
  }

  /// The last key frame held at or before a time that lies within what is held; nil if there is none.
  /// - Parameter hasEnded: nothing follows what is held, so that times beyond its end lie within it too.
  package func keyframe(atOrBefore ticks: Int64, hasEnded: Bool) -> Place? {
    guard let endTicks, ticks < endTicks || hasEnded else { return nil }
    for absolute in keyframes.reversed() {
      let index = absolute - removed
      guard index >= head, let time = packets[index].presentationTime ?? packets[index].decodeTime else { continue }
      if time <= ticks { return Place(number: absolute, ticks: time, isAhead: index >= cursor) }
    }
    return nil
  }

  /// Where to go on when the next packet lies before `late`: the last key frame ahead that is due by `now`, else the
  /// first one due by `horizon`.
  package func leap(whenBehind late: Int64, now: Int64, horizon: Int64) -> Place? {
    guard let next, let start = [next.decodeTime, next.presentationTime].compactMap({ $0 }).min(), start < late else {
      return nil
    }
    var best: Place?
    for absolute in keyframes.reversed() {
      let index = absolute - removed
      guard index > cursor else { break }
      guard let time = packets[index].startTicks, time <= horizon else { continue }
      best = Place(number: absolute, ticks: time, isAhead: true)
      if time <= now { break }
    }
    return best
  }

  /// False when the place is held no more.
  package mutating func move(to place: Place) -> Bool {
    let index = place.number - removed
    guard index >= head, index < packets.count else { return false }
    if index < cursor {
      let bytes = packets[index..<cursor].reduce(0) { $0 + $1.cost }
      backBytes -= bytes
      aheadBytes += bytes
    } else {
      let bytes = packets[cursor..<index].reduce(0) { $0 + $1.cost }
      backBytes += bytes
      aheadBytes -= bytes
    }
    cursor = index
    trimBack()
    return true
  }

  /// Drops the packets behind the reading place until the limit holds, whole groups where key frames are known.
  private mutating func trimBack() {
    guard backBytes > backLimit else { return }
    while head < cursor, backBytes > backLimit {
      backBytes -= packets[head].cost
      packets[head].releasePayload()
      head += 1
    }
    guard head > 256, head > packets.count / 2 else { return }
    packets.removeFirst(head)
    removed += head
    cursor -= head
    head = 0
    keyframes.removeAll { $0 < removed }
  }
}

extension MediaPacket {
  /// Presentation time, else decoding time.
  package var startTicks: Int64? { presentationTime ?? decodeTime }

  package var endTicks: Int64? {
    guard let startTicks else { return nil }
    let (end, overflow) = startTicks.addingReportingOverflow(max(duration, 0))
    return overflow ? nil : end
  }
}
