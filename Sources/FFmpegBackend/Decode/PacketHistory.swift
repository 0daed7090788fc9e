import CFFmpeg
import MediaEngine

/// The packets that a software decoder must go through again when a device fails: those since the key frame before the
/// last one, because a device may still owe pictures of the group before, and an open group's first pictures need it.
struct PacketHistory {
  /// Bytes; media with longer groups go on from their next key frame.
  static let limit = 64 << 20

  private var packets: [PacketBox] = []
  private var size = 0
  /// Position of the last key frame in `packets`.
  private var lastKeyframe = 0
  /// A packet was left out: nothing is of use before the next key frame.
  private var isBroken = false

  mutating func append(_ packet: PacketBox, isKeyframe: Bool) {
    if isKeyframe {
      if isBroken { removeAll() } else { removeFirst(lastKeyframe) }
      isBroken = false
      lastKeyframe = packets.count
    }
    guard !isBroken else { return }
    packets.append(packet)
    size += Self.cost(packet)
    if size > Self.limit { removeFirst(lastKeyframe) }
    if size > Self.limit {
      removeAll()
      isBroken = true
    }
  }

  mutating func removeAll() { self = PacketHistory() }

  /// All of them, oldest first; none stay.
  mutating func takeAll() -> [PacketBox] {
    defer { removeAll() }
    return packets
  }

  private static func cost(_ packet: PacketBox) -> Int { Int(packet.packet.pointee.size) + MediaPacket.overhead }

  private mutating func removeFirst(_ count: Int) {
    guard count > 0 else { return }
    for packet in packets[..<count] { size -= Self.cost(packet) }
    packets.removeFirst(count)
    lastKeyframe = 0
  }
}
