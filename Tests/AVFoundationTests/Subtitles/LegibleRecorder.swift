import AVFoundation
import MediaRuntime

/// Notes what a legible output pushes.
final class LegibleRecorder: NSObject, AVPlayerItemLegibleOutputPushDelegate {
  struct Entry: Sendable {
    /// The item's time when it was told, and that for which it was told.
    var told: Double
    var itemTime: Double
    var texts: [String]
    var attributes: [[String: String]]
  }

  private let player: AVPlayer
  private let noted = Lock<[Entry]>([])
  private let flushed = Lock(0)

  init(_ player: AVPlayer) { self.player = player }

  var entries: [Entry] { noted.withLock { $0 } }
  var texts: [[String]] { entries.map(\.texts) }
  var flushes: Int { flushed.withLock { $0 } }
  func forget() { noted.withLock { $0 = [] } }

  func legibleOutput(
    _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [NSAttributedString],
    nativeSampleBuffers nativeSamples: [Any], forItemTime itemTime: CMTime
  ) {
    let looks = strings.map { string -> [String: String] in
      guard string.length > 0 else { return [:] }
      var look: [String: String] = [:]
      for (key, value) in string.attributes(at: 0, effectiveRange: nil) { look[key.rawValue] = "\(value)" }
      return look
    }
    let entry = Entry(
      told: player.currentTime().seconds, itemTime: itemTime.seconds, texts: strings.map(\.string), attributes: looks)
    noted.withLock { $0.append(entry) }
  }

  func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) { flushed.withLock { $0 += 1 } }
}

extension Stage {
  /// A ready player that shows the option of a language, or the n-th one, and what its legible output tells.
  func legible(_ choice: Int?) async throws -> (AVPlayer, AVPlayerItem, AVPlayerItemLegibleOutput, LegibleRecorder) {
    let (player, item) = await readyPlayer()
    let recorder = LegibleRecorder(player)
    let output = AVPlayerItemLegibleOutput()
    output.setDelegate(recorder, queue: nil)
    item.add(output)
    try await select(choice, item)
    return (player, item, output, recorder)
  }

  func legibleGroup(_ item: AVPlayerItem) async throws -> AVMediaSelectionGroup? {
    let asset = await MainActor.run { item.asset as? AVURLAsset }
    return try await asset?.loadMediaSelectionGroup(for: .legible)
  }

  func select(_ choice: Int?, _ item: AVPlayerItem) async throws {
    guard let group = try await legibleGroup(item) else { return }
    item.select(choice.map { group.options[$0] }, in: group)
  }
}
