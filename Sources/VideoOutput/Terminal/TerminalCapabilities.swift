/// What a terminal can do, from its environment and from its answers to queries. Pure: reading and waiting are the caller's.
package struct TerminalCapabilities: Hashable, Sendable {
  package var style: TerminalPictureStyle
  package var depth: TerminalColorDepth
  /// Cell size in pixels when the terminal told it.
  package var cellWidth = 0
  package var cellHeight = 0

  /// Sent once at start: kitty graphics (an image of one pixel, only queried), cell size, and the primary attributes,
  /// which every terminal answers and which therefore end the wait.
  package static let query = Array("\u{1b}_Gi=4211,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\\u{1b}[16t\u{1b}[c".utf8)

  /// True as soon as the answer to the last query is in.
  package static func isComplete(_ answer: [UInt8]) -> Bool {
    attributes(in: answer) != nil
  }

  /// - Parameter answer: what came back on the query, possibly nothing.
  package init(environment: [String: String], answer: [UInt8]) {
    let text = String(decoding: answer, as: UTF8.self)
    depth = Self.depth(environment)
    let attributes = Self.attributes(in: answer) ?? []
    // A multiplexer answers for itself and rarely passes graphics on to the terminal behind it.
    let isMultiplexed = !(environment["TMUX"] ?? "").isEmpty || (environment["TERM"] ?? "").hasPrefix("screen")
    if text.contains("_Gi=4211;OK"), !isMultiplexed {
      style = .kitty
    } else if attributes.contains(4) {
      style = .sixel
    } else {
      style = .blocks
    }
    if let size = Self.cellSize(in: text) {
      (cellHeight, cellWidth) = size
    }
  }

  private static func depth(_ environment: [String: String]) -> TerminalColorDepth {
    let term = environment["TERM"] ?? ""
    let color = (environment["COLORTERM"] ?? "").lowercased()
    if let flag = environment["NO_COLOR"], !flag.isEmpty { return .monochrome }
    if color == "truecolor" || color == "24bit" || term.contains("direct") || term.contains("kitty") {
      return .trueColor
    }
    if term.contains("256color") || !color.isEmpty { return .palette256 }
    return term.isEmpty || term == "dumb" || term.hasPrefix("vt") ? .monochrome : .palette256
  }

  /// The numbers of a primary device attributes answer, `ESC [ ? 62 ; 4 c`; nil while it is not there.
  private static func attributes(in answer: [UInt8]) -> [Int]? {
    let text = String(decoding: answer, as: UTF8.self)
    guard let start = text.firstRange(of: "\u{1b}[?"), let end = text[start.upperBound...].firstIndex(of: "c") else {
      return nil
    }
    return text[start.upperBound..<end].split(separator: ";").compactMap { Int($0) }
  }

  /// `ESC [ 6 ; height ; width t`.
  private static func cellSize(in text: String) -> (height: Int, width: Int)? {
    guard let start = text.firstRange(of: "\u{1b}[6;"), let end = text[start.upperBound...].firstIndex(of: "t") else {
      return nil
    }
    let numbers = text[start.upperBound..<end].split(separator: ";").compactMap { Int($0) }
    guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 && $0 < 1000 }) else { return nil }
    return (numbers[0], numbers[1])
  }
}
