import MediaEngine

/// How far apart in the file the tracks' samples of one moment lie.
///
/// Two ways of reading show it. By an index, samples come in the order of time: then their places lie apart. In the order
/// of the file, one track runs ahead of the other.
struct InterleaveWatch: Sendable {
  /// What any player holds of one track while it looks for the other: bytes, seconds of time, seconds' worth of bytes.
  private static let bytes: Int64 = 2 << 20
  private static let seconds = 3.0

  private struct Place {
    var offset: Int64
    var time: Double
  }

  /// Bytes a second of the whole file.
  private let byteRate: Double
  private var start: Int64?
  private var places: [Int: Place] = [:]
  private var widest: (bytes: Int64, seconds: Double, at: Double)?

  init(byteRate: Double) { self.byteRate = byteRate }

  mutating func note(_ packet: MediaPacket, at time: Double?) {
    guard let offset = packet.offset, let time else { return }
    start = min(start ?? offset, offset)
    let own = places[packet.track] ?? Place(offset: start ?? offset, time: time)
    for (track, other) in places where track != packet.track {
      let distance = abs(offset - other.offset)
      let jump = byteRate > 0 ? Double(distance) / byteRate : 0
      if abs(time - other.time) <= 1, jump >= Self.seconds { widen(distance, jump, at: time) }
      let passed = offset - own.offset
      if other.time - time >= Self.seconds { widen(passed, other.time - time, at: time) }
    }
    places[packet.track] = Place(offset: offset, time: time)
  }

  private mutating func widen(_ bytes: Int64, _ seconds: Double, at time: Double) {
    guard bytes >= Self.bytes, bytes > widest?.bytes ?? 0 else { return }
    widest = (bytes, seconds, max(time, 0))
  }

  var findings: [Finding] {
    guard let widest else { return [] }
    return [
      Finding(
        .wideInterleave,
        "Picture and sound of \(Wording.time(widest.at)) lie \(widest.bytes) bytes apart in the file, \(Wording.length(widest.seconds)) of it: from a server or a slow disk it stalls.",
        [
          "bytes": Evidence(widest.bytes), "seconds": Evidence(seconds: widest.seconds),
          "at": Evidence(seconds: widest.at),
        ])
    ]
  }
}
