/// The packets of a video track since the key frame that decoding began at, in decoding order.
///
/// A container's times tell which packet holds the picture of a target before anything is decoded: the latest one whose
/// time is not behind it, as soon as no earlier time can follow. What is not such a packet is decoded only for others
/// to refer to. Pure.
struct PacketWindow {
  struct Slot {
    var packet: MediaPacket
    /// Some target's picture is in it.
    var isWanted = false

    var time: Int64? { packet.presentationTime }
  }

  private(set) var slots: [Slot] = []
  /// How many slots are with the decoder already.
  private(set) var fed = 0
  /// Up to here the decoder is to be fed.
  private(set) var goal = 0
  /// Bytes that wait to be decoded.
  private(set) var size = 0

  /// Frames that codecs reorder at most (H.264 and H.265: 16).
  private static let reorderLimit = 17
  /// Slots behind the decoder that are remembered.
  private static let memory = 64

  var isEmpty: Bool { slots.isEmpty }
  var hasWork: Bool { fed < goal }
  /// Of the first packet, which may be forgotten by now.
  private(set) var startTime: Int64?
  private(set) var startDecode: Int64?
  private(set) var lastRead: Int64?

  mutating func append(_ packet: MediaPacket) {
    if slots.isEmpty {
      startTime = packet.presentationTime
      startDecode = packet.decodeTime ?? packet.presentationTime
    }
    slots.append(Slot(packet: packet))
    size += packet.cost
    if let time = packet.decodeTime ?? packet.presentationTime { lastRead = max(lastRead ?? time, time) }
  }

  mutating func removeAll() {
    self = PacketWindow()
  }

  /// No packet with a time up to `target` can follow.
  func isSure(of target: Int64) -> Bool {
    if let decode = slots.last?.packet.decodeTime { return decode > target }
    return slots.suffix(4 * Self.reorderLimit).filter { ($0.time ?? .min) > target }.count >= Self.reorderLimit
  }

  /// The packet whose picture is shown at `target`; the earliest one when all are later.
  func slot(shownAt target: Int64) -> Int? {
    var best: Int?
    var first: Int?
    for (index, slot) in slots.enumerated() {
      guard let time = slot.time else { continue }
      if time <= target, best.flatMap({ slots[$0].time }).map({ $0 <= time }) ?? true { best = index }
      if first.flatMap({ slots[$0].time }).map({ $0 > time }) ?? true { first = index }
    }
    return best ?? first
  }

  mutating func want(_ index: Int) {
    guard slots.indices.contains(index) else { return }
    slots[index].isWanted = true
    goal = max(goal, index + 1)
  }

  /// Has the decoder take what is certainly no target's picture, where a group is too large to be held.
  mutating func feed(upTo index: Int) { goal = max(goal, min(index, slots.count)) }

  /// - Returns: the next packet for the decoder, and whether its picture is wanted.
  mutating func takeNext() -> (packet: MediaPacket, isWanted: Bool)? {
    guard fed < goal, fed < slots.count else { return nil }
    let slot = slots[fed]
    slots[fed].packet.releasePayload()
    size -= slot.packet.cost
    fed += 1
    if fed > 4 * Self.memory {
      let count = fed - Self.memory
      slots.removeFirst(count)
      fed -= count
      goal -= count
    }
    return (slot.packet, slot.isWanted)
  }
}
