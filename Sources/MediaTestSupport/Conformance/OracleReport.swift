package import MediaEngine

/// What FFmpeg's libraries made of a file: `Scripts/oracle/oracle.c` prints it, this reads it.
package struct OracleReport: Sendable {
  package struct Frame: Hashable, Sendable {
    /// Ticks of the stream's time base; nil when nothing gives a time.
    package var ticks: Int64?
    package var hash: UInt64
  }

  package struct Stream: Sendable {
    package var isVideo: Bool
    package var timeBase: TimeBase
    /// Ticks of the first timestamp.
    package var start: Int64?
    /// Ticks at which the last picture or sample ends.
    package var end: Int64?
    package var frames: [Frame] = []
    package var samples: Int64 = 0
    package var rate = 0
    /// Samples before the end that a movie's sample tables and edit list declare; nil when nothing does.
    package var kept: Int64?
  }

  package var container = ""
  /// Microseconds.
  package var start: Int64?
  package var duration: Int64?
  package var streams: [Int: Stream] = [:]
  /// Samples by iTunes' gapless comment.
  package var gapless: Int64?
  package var errors: [String] = []
  /// False when the oracle did not come to its end.
  package var isComplete = false

  package init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      let number = { (index: Int) in index < words.count ? Int64(words[index]) : nil }
      let stream = number(1).flatMap { Int(exactly: $0) }
      switch words.first {
      case "container": container = words.count > 1 ? String(words[1]) : ""
      case "start": start = number(1)
      case "duration": duration = number(1)
      case "gapless": gapless = number(1)
      case "error": errors.append(String(line.dropFirst(6)))
      case "done": isComplete = true
      case "stream":
        guard let stream, words.count > 4 else { continue }
        let base = TimeBase(Int32(words[3]) ?? 1, Int32(words[4]) ?? 1)
        streams[stream] = Stream(isVideo: words[2] == "video", timeBase: base, start: number(6))
      case "end":
        guard let stream else { continue }
        streams[stream]?.end = number(2)
      case "frame":
        guard let stream, words.count > 3, let hash = UInt64(words[3], radix: 16) else { continue }
        streams[stream]?.frames.append(Frame(ticks: number(2), hash: hash))
      case "samples":
        guard let stream else { continue }
        streams[stream]?.samples = number(2) ?? 0
        streams[stream]?.rate = Int(clamping: number(3) ?? 0)
        streams[stream]?.kept = number(4)
      default: continue
      }
    }
  }
}
