/// What happened in a virtual run: every step, wait, wake, delivery and note, as a hash and, on demand, as lines.
struct Trace {
  enum Kind: UInt8 {
    case step, wait, wake, deliver, main, note

    var word: String {
      switch self {
      case .step: ""
      case .wait: "waits: "
      case .wake: "wakes: "
      case .deliver: "block: "
      case .main: "main: "
      case .note: "note: "
      }
    }
  }

  let keepsLines: Bool
  private(set) var lines: [String] = []
  /// FNV-1a over all lines' content: equal in two processes exactly if they did the same in the same order.
  private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  mutating func add(_ kind: Kind, at time: Int64, _ queue: String, _ name: String) {
    mix(UInt64(bitPattern: time) ^ UInt64(kind.rawValue) << 56)
    mix(queue)
    mix(name)
    if keepsLines { lines.append("\(Self.milliseconds(time)) \(queue) \(kind.word)\(name)") }
  }

  private mutating func mix(_ value: UInt64) {
    hash = (hash ^ value) &* 0x100_0000_01b3
    hash ^= hash >> 32
  }

  private mutating func mix(_ text: String) {
    var result = hash
    for byte in text.utf8 { result = (result ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = result
    mix(0xff)
  }

  /// Milliseconds with six decimals: 1.000000.
  static func milliseconds(_ nanoseconds: Int64) -> String {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return "\(nanoseconds < 0 && whole == 0 ? "-" : "")\(whole).\(String(abs(rest) + 1_000_000).dropFirst())"
  }
}
