import AVFoundation
import MediaRuntime

/// The terminal player's bottom lines, as text of an exact width.
struct StatusLine: Equatable {
  var title = ""
  var chapter: String?
  var state = PlayState.loading
  var time = CMTime.zero
  var duration = CMTime.indefinite
  /// End of the loaded range that holds the time, as a share of the duration.
  var bufferedFraction: Double?
  var volume: Float = 1
  var isMuted = false
  var rate: Float = 1
  /// An error, shown instead of the title.
  var message: String?
  /// What a key has changed, shown instead of both for a moment.
  var remark: String?

  private var symbol: String {
    switch state {
    case .playing: "▶"
    case .paused: "‖"
    case .ended: "■"
    case .failed: "✕"
    case .loading, .evaluating, .buffering: "…"
    }
  }

  /// Time, bar, state, volume.
  func progress(width: Int) -> String {
    let left = "\(symbol) \(TimeText.text(time)) "
    var right = " \(TimeText.duration(duration))"
    if state != .playing && state != .paused { right += "  \(state.word)" }
    right += isMuted ? "  muted" : "  vol \(Int((volume * 100).rounded()))%"
    if rate != 1, rate != 0 { right += "  \(rateText)" }
    let barWidth = width - Self.columns(left) - Self.columns(right)
    guard barWidth >= 5 else { return Self.fitted(left + right, width: width) }
    return Self.fitted(left + bar(width: barWidth) + right, width: width)
  }

  /// Title and chapter, the error, or the remark.
  func heading(width: Int) -> String {
    let text = remark ?? message ?? [title, chapter].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " – ")
    return Self.fitted(text, width: width)
  }

  private var rateText: String {
    let hundredths = Int((rate * 100).rounded())
    return hundredths % 100 == 0 ? "\(hundredths / 100)×" : "\(Double(hundredths) / 100)×"
  }

  private func bar(width: Int) -> String {
    guard duration.isNumeric, duration.value > 0, time.isNumeric else {
      return String(repeating: "─", count: width)
    }
    let played = Int((min(max(time.seconds / duration.seconds, 0), 1) * Double(width)).rounded(.down))
    let loaded = Int((min(max(bufferedFraction ?? 0, 0), 1) * Double(width)).rounded())
    return (0..<width).map { $0 < played ? "━" : $0 == played ? "●" : $0 < loaded ? "─" : "┄" }.joined()
  }

  /// Cut or padded to a width in cells.
  static func fitted(_ text: String, width: Int) -> String {
    var out = ""
    var used = 0
    for shown in printable(text) {
      let columns = Self.columns(shown)
      guard used + columns <= width else { break }
      out.append(shown)
      used += columns
    }
    return out + String(repeating: " ", count: max(width - used, 0))
  }

  /// What tags and file names may hold to steer the terminal becomes blanks.
  static func printable(_ text: String) -> String {
    String(text.map { $0.unicodeScalars.contains(where: \.steersText) ? " " : $0 })
  }

  static func columns(_ text: String) -> Int {
    text.reduce(0) { $0 + columns($1) }
  }

  /// East Asian wide characters and emoji take two cells.
  private static func columns(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
      return 2
    default:
      return 1
    }
  }
}
