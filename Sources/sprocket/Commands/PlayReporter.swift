import AVFoundation

/// Shows a person or a script what playing does. All calls come on the main actor.
@MainActor
protocol PlayReporter: AnyObject {
  func begin(address: String, position: Int, of count: Int)
  func opened(_ item: AVPlayerItem, summary: String)
  func stateChanged(_ state: PlayState, at time: CMTime, duration: CMTime)
  func timeChanged(_ time: CMTime, duration: CMTime)
  func failed(address: String, message: String)
  /// It was played, but not all is well.
  func warned(address: String, message: String)
  func ended(at time: CMTime, duration: CMTime)
  /// Leaves the screen as it was.
  func finish()
}

/// A player's state in one word for people.
enum PlayState: Equatable {
  case loading, playing, paused, evaluating, buffering, ended, failed

  var word: String {
    switch self {
    case .loading: "loading"
    case .playing: "playing"
    case .paused: "paused"
    case .evaluating: "starting"
    case .buffering: "buffering"
    case .ended: "ended"
    case .failed: "failed"
    }
  }
}

/// Plain lines for pipes and files: each change of state, and the time once a second. What is wrong goes to standard
/// error.
@MainActor
final class LineReporter: PlayReporter {
  private let write: (String) -> Void
  private let tell: (String) -> Void
  private var lastSecond: Int64 = -1

  init(write: @escaping (String) -> Void, tell: @escaping (String) -> Void) {
    // Names and messages come from outside: nothing in them may steer the terminal.
    self.write = { write(StatusLine.printable($0)) }
    self.tell = { tell(StatusLine.printable($0)) }
  }

  func begin(address: String, position: Int, of count: Int) {
    lastSecond = -1
    write(count > 1 ? "[\(position)/\(count)] \(address)" : address)
  }

  func opened(_ item: AVPlayerItem, summary: String) {
    write("  \(summary)")
  }

  func stateChanged(_ state: PlayState, at time: CMTime, duration: CMTime) {
    // The end has a line of its own, and what lasts a moment only is no news in a log.
    guard state != .ended, state != .failed, state != .evaluating else { return }
    write("  \(TimeText.text(time)) / \(TimeText.duration(duration))  \(state.word)")
  }

  func timeChanged(_ time: CMTime, duration: CMTime) {
    guard time.isNumeric else { return }
    let second = time.convertScale(1, method: .roundTowardNegativeInfinity).value
    guard second != lastSecond else { return }
    let isFirst = lastSecond < 0
    lastSecond = second
    if !isFirst { write("  \(TimeText.text(time)) / \(TimeText.duration(duration))") }
  }

  func failed(address: String, message: String) {
    write("  failed")
    tell("\(address): \(message)")
  }

  func warned(address: String, message: String) {
    tell("\(address): \(message)")
  }

  func ended(at time: CMTime, duration: CMTime) {
    write("  \(TimeText.text(time)) / \(TimeText.duration(duration))  ended")
  }

  func finish() {}
}

/// One JSON object a line, for scripts: `event`, and what belongs to it. Times are seconds of item time.
@MainActor
final class JSONReporter: PlayReporter {
  private let write: (String) -> Void

  init(write: @escaping (String) -> Void) {
    self.write = write
  }

  func begin(address: String, position: Int, of count: Int) {
    send(
      "begin", ["address": .string(address), "position": .integer(Int64(position)), "count": .integer(Int64(count))])
  }

  func opened(_ item: AVPlayerItem, summary: String) {
    let size = item.presentationSize
    send(
      "opened",
      [
        "duration": seconds(item.duration), "summary": .string(summary), "width": .number(size.width),
        "height": .number(size.height), "tracks": .integer(Int64(item.tracks.count)),
      ])
  }

  func stateChanged(_ state: PlayState, at time: CMTime, duration: CMTime) {
    send("state", ["state": .string(state.word), "time": seconds(time)])
  }

  func timeChanged(_ time: CMTime, duration: CMTime) {
    send("time", ["time": seconds(time), "duration": seconds(duration)])
  }

  func failed(address: String, message: String) {
    send("failed", ["address": .string(address), "message": .string(message)])
  }

  func warned(address: String, message: String) {
    send("warning", ["address": .string(address), "message": .string(message)])
  }

  func ended(at time: CMTime, duration: CMTime) {
    send("ended", ["time": seconds(time), "duration": seconds(duration)])
  }

  func finish() {}

  private func seconds(_ time: CMTime) -> JSONValue {
    time.isNumeric ? .number(time.seconds) : .null
  }

  private func send(_ event: String, _ members: [String: JSONValue]) {
    var members = members
    members["event"] = .string(event)
    write(JSONValue.object(members).text)
  }
}
