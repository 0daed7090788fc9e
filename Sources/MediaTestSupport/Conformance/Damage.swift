package import Foundation

/// Damages bytes in ways that files are damaged in practice, by a seed: the same seed gives the same damage.
package struct Damage: Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// One to eight damages: bits flipped, bytes set to telling values, ranges cut, doubled or overwritten, the end lost.
  package mutating func apply(to data: Data) -> Data {
    var bytes = [UInt8](data)
    for _ in 0...below(8) where !bytes.isEmpty {
      // Headers say most: half of the damage goes there.
      let reach = below(2) == 0 ? min(bytes.count, 4_096) : bytes.count
      let place = below(reach)
      let length = min(1 + below(64), bytes.count - place)
      switch below(7) {
      case 0: bytes[place] ^= 1 << UInt8(below(8))
      case 1:
        let telling: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
        for offset in 0..<min(4, bytes.count - place) { bytes[place + offset] = telling[below(telling.count)] }
      case 2: bytes.removeSubrange(place..<place + length)
      case 3: bytes.insert(contentsOf: Array(bytes[place..<place + length]), at: place)
      case 4: for offset in 0..<length { bytes[place + offset] = UInt8(truncatingIfNeeded: next()) }
      case 5: bytes.removeLast(bytes.count - place)
      default:
        let other = below(bytes.count - length + 1)
        bytes.replaceSubrange(place..<place + length, with: Array(bytes[other..<other + length]))
      }
    }
    return Data(bytes)
  }

  private mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  private mutating func below(_ limit: Int) -> Int {
    limit > 1 ? Int(next() % UInt64(limit)) : 0
  }
}
