import AVFoundation
import MediaEngine
import MediaTestSupport
import Testing

/// What the cases of Docs/FaultCases.md look at.
extension Stage {
  /// A real file's player, ready, with its ends and failures written down.
  func player(of url: URL, limit: Double = 30) async -> CasePlayer {
    let played = CasePlayer(url)
    await until("ready", limit: limit) { played.item.status != .unknown }
    return played
  }

  /// Device frames up to now, as many as the item's time would be if it had played from the device's first frame on.
  func silence(before player: AVPlayer) -> Int {
    guard let position = sinks.sinks.first?.position() else { return 0 }
    return Int(position.frame) - Int((player.currentTime().seconds * 48_000).rounded())
  }

  /// The first channel of what was heard.
  var heard: [Float] {
    let played = sinks.sinks.first?.played ?? []
    return stride(from: 0, to: played.count, by: 2).map { played[$0] }
  }
}

/// A player of one item and what it told of the end.
final class CasePlayer: @unchecked Sendable {
  // Sendable because its tokens are only touched in `init` and `deinit`.
  let item: AVPlayerItem
  let player: AVPlayer
  let output = AVPlayerItemVideoOutput()
  let record = Record()
  private let tokens: [any NSObjectProtocol]

  init(_ url: URL) {
    let item = AVPlayerItem(url: url)
    self.item = item
    item.add(output)
    let record = record
    tokens =
      [AVPlayerItem.didPlayToEndTimeNotification, AVPlayerItem.failedToPlayToEndTimeNotification].map { name in
        NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { _ in
          record.note(name == AVPlayerItem.didPlayToEndTimeNotification ? "ended" : "failed")
        }
      }
    player = AVPlayer(playerItem: item)
  }

  deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

  func seek(_ time: Double) async -> Bool {
    await player.seek(to: seconds(time), toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// The number in the picture of the item's present time.
  var number: Int? {
    output.copyPixelBuffer(forItemTime: player.currentTime(), itemTimeForDisplay: nil).flatMap { FrameCode.read($0) }
  }
}

/// Properties of a tone.
struct Tone {
  let samples: ArraySlice<Float>

  /// By the zeros that it crosses upwards, between the first and the last.
  var hertz: Double {
    var crossings: [Int] = []
    for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
      crossings.append(index)
    }
    guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
    return Double(crossings.count - 1) / Double(last - first) * 48_000
  }

  var peak: Float { samples.map(abs).max() ?? 0 }

  /// The longest stretch below a level, in samples.
  func longestRun(below level: Float) -> Int {
    var (longest, run) = (0, 0)
    for sample in samples {
      run = abs(sample) < level ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
