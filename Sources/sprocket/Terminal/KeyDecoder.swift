/// What a person pressed.
enum Key: Equatable, Sendable {
  case character(Character)
  case up, down, left, right
  case pageUp, pageDown, home, end
  case escape, enter
  /// Control and a letter, such as `c`.
  case control(Character)
}

/// Turns a terminal's bytes into keys; sequences may arrive in pieces.
struct KeyDecoder {
  private var pending: [UInt8] = []
  /// Sequences that were no keys: answers of the terminal that came late, and the unknown. Its reader empties it.
  var answers: [UInt8] = []

  /// Takes bytes, gives the keys that are complete. What is no key goes to `answers`.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending.append(contentsOf: bytes)
    var keys: [Key] = []
    while let (key, length) = Self.first(in: pending) {
      if let key { keys.append(key) } else { answers.append(contentsOf: pending.prefix(length)) }
      pending.removeFirst(length)
    }
    if pending.count > 4096 { pending = [] }
    if answers.count > 4096 { answers = [] }
    return keys
  }

  /// No byte followed a lone escape: it was the key itself.
  mutating func flush() -> [Key] {
    defer { pending = [] }
    return pending == [0x1b] ? [.escape] : []
  }

  var isWaiting: Bool { !pending.isEmpty }

  private static func first(in bytes: [UInt8]) -> (Key?, Int)? {
    guard let byte = bytes.first else { return nil }
    switch byte {
    case 0x1b: return escapeSequence(in: bytes)
    case 0x0d, 0x0a: return (.enter, 1)
    case 0x7f: return (.character("\u{7f}"), 1)
    case 0..<0x20: return (.control(Character(Unicode.Scalar(byte + 0x60))), 1)
    case 0x20..<0x7f: return (.character(Character(Unicode.Scalar(byte))), 1)
    default: return multibyteCharacter(in: bytes)
    }
  }

  private static func escapeSequence(in bytes: [UInt8]) -> (Key?, Int)? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["):
      guard let final = bytes.indices.dropFirst(2).first(where: { (0x40...0x7e).contains(bytes[$0]) }) else {
        return nil
      }
      return (cursorKey(bytes[2..<final], final: bytes[final]), final + 1)
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      return (cursorKey([], final: bytes[2]), 3)
    case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"):
      // A terminal's answer: up to its terminator, ESC \ (or BEL for the last kind).
      for index in bytes.indices.dropFirst(2) {
        if bytes[index] == 0x07 { return (nil, index + 1) }
        if bytes[index] == UInt8(ascii: "\\"), bytes[index - 1] == 0x1b { return (nil, index + 1) }
      }
      return nil
    default:
      return (.escape, 1)
    }
  }

  private static func cursorKey(_ parameters: ArraySlice<UInt8>, final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "~"):
      switch parameters.first {
      case UInt8(ascii: "1"), UInt8(ascii: "7"): return .home
      case UInt8(ascii: "4"), UInt8(ascii: "8"): return .end
      case UInt8(ascii: "5"): return .pageUp
      case UInt8(ascii: "6"): return .pageDown
      default: return nil
      }
    default: return nil
    }
  }

  private static func multibyteCharacter(in bytes: [UInt8]) -> (Key?, Int)? {
    let length = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : bytes[0] >= 0xc0 ? 2 : 1
    guard length > 1 else { return (nil, 1) }
    guard bytes.count >= length else { return nil }
    let text = String(decoding: bytes[..<length], as: UTF8.self)
    return (text.first.map(Key.character), length)
  }
}
