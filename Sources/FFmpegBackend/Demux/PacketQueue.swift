import MediaEngine
import MediaIO

/// Packets read ahead, in reading order.
struct PacketQueue {
  private var packets: [MediaPacket] = []
  private var head = 0
  /// What the packets that wait take, in bytes.
  private(set) var size = 0

  var isEmpty: Bool { head == packets.count }

  mutating func append(_ packet: MediaPacket) {
    packets.append(packet)
    size += packet.cost
  }

  /// The packet belongs to the operation that takes it, whoever read it.
  mutating func popFirst(_ generation: Generation) -> MediaPacket? {
    guard head < packets.count else { return nil }
    var packet = packets[head]
    packets[head].releasePayload()
    head += 1
    size -= packet.cost
    if head == packets.count { removeAll() }
    packet.generation = generation
    return packet
  }

  /// Presentation time of the first packet of a track.
  func firstTime(of track: Int) -> Int64? {
    packets[head...].first { $0.track == track }.flatMap { $0.presentationTime ?? $0.decodeTime }
  }

  mutating func removeFirst(of track: Int) {
    guard let index = packets[head...].firstIndex(where: { $0.track == track }) else { return }
    size -= packets[index].cost
    packets.remove(at: index)
  }

  mutating func removeAll(where isUnwanted: (MediaPacket) -> Bool) {
    packets = packets[head...].filter { !isUnwanted($0) }
    head = 0
    size = packets.reduce(0) { $0 + $1.cost }
  }

  mutating func removeAll() {
    packets.removeAll(keepingCapacity: true)
    head = 0
    size = 0
  }
}
