import AVFoundation
import MediaRuntime
import MediaTestSupport
import Testing

/// Thousands of commands in random order through the public façade, on virtual time.
@Suite struct RandomCommandTests {
  @Test(
    "Invariants hold after every command, observers end at the truth, completions come exactly once", arguments: 0..<8)
  func randomCommands(_ seed: Int) async throws {
    try await Stage.run(.fake, media: .make(video: Self.video, audio: Self.audio)) { stage in
      let run = CommandRun(stage, seed: UInt64(seed))
      for _ in 0..<400 {
        let command = run.step()
        if let broken = run.brokenInvariant() {
          Issue.record("Seed \(seed), after \(command): \(broken)\n\(run.story.suffix(12).joined(separator: "\n"))")
          return
        }
        if run.numbers.chance(60) { await stage.sleep(Int64(run.numbers.below(80))) }
      }
      await run.finish()
    }
  }

  /// Short, so that ends come often.
  private static let video: ScriptedMedia.Video = {
    var video = ScriptedMedia.Video()
    video.seconds = 1.5
    return video
  }()
  private static let audio: ScriptedMedia.Audio = {
    var audio = ScriptedMedia.Audio()
    audio.seconds = 1.5
    return audio
  }()
}

/// One player, a few items, and everything a client can do with them.
private final class CommandRun: @unchecked Sendable {
  // @unchecked Sendable: used by the test's task alone; what handlers write is behind the records' locks.
  let stage: Stage
  let player: AVQueuePlayer
  var numbers: SeededNumbers
  var story: [String] = []
  private var items: [AVPlayerItem]
  private var asked = 0
  private let answers = Record()
  private let seen = Seen()
  private var observations: [NSKeyValueObservation] = []
  private var timeTokens: [Any] = []

  init(_ stage: Stage, seed: UInt64) {
    self.stage = stage
    numbers = SeededNumbers(seed)
    items = (0..<4).map { _ in AVPlayerItem(url: stage.url) }
    player = AVQueuePlayer()
    let seen = seen
    observations = [
      player.observe(\.rate, options: [.new]) { _, change in seen.note("rate", "\(change.newValue ?? -1)") },
      player.observe(\.timeControlStatus, options: [.new]) { _, change in
        seen.note("control", "\(change.newValue?.rawValue ?? -1)")
      },
      player.observe(\.reasonForWaitingToPlay, options: [.new]) { _, change in
        seen.note("reason", "\((change.newValue ?? nil)?.rawValue ?? "nil")")
      },
      player.observe(\.currentItem, options: [.new]) { _, change in
        seen.note("item", "\((change.newValue ?? nil).map { ObjectIdentifier($0).debugDescription } ?? "nil")")
      },
      player.observe(\.currentItem?.status, options: [.new]) { _, change in
        seen.note("status", "\((change.newValue ?? nil)?.rawValue ?? -1)")
      },
    ]
  }

  /// Does one thing; tells what.
  func step() -> String {
    let command = doSomething()
    story.append(
      "\(command) → rate \(player.rate), \(player.timeControlStatus), "
        + "\(player.reasonForWaitingToPlay?.rawValue ?? "nil"), \(player.items().count) items")
    return command
  }

  private func answer() -> @Sendable (Bool) -> Void {
    let number = asked
    asked += 1
    return { [answers] _ in answers.note("\(number)") }
  }

  private func randomTime() -> CMTime { seconds(Double(numbers.below(220)) / 100 - 0.3) }

  private func doSomething() -> String {
    switch numbers.below(22) {
    case 0, 1: player.play(); return "play"
    case 2: player.pause(); return "pause"
    case 3:
      player.rate = [0, 1, 1.5, 2, -1, 0.5][Int(numbers.below(6))]
      return "rate"
    case 4: player.playImmediately(atRate: numbers.chance(50) ? 1 : 2); return "playImmediately"
    case 5:
      player.automaticallyWaitsToMinimizeStalling.toggle()
      return "automaticallyWaits \(player.automaticallyWaitsToMinimizeStalling)"
    case 6, 7:
      player.seek(to: randomTime(), toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: answer())
      return "exact seek"
    case 8: player.seek(to: randomTime(), completionHandler: answer()); return "seek"
    case 9:
      let item = items[Int(numbers.below(4))]
      item.seek(to: randomTime(), completionHandler: answer())
      return "seek of an item"
    case 10: player.currentItem?.cancelPendingSeeks(); return "cancelPendingSeeks"
    case 11:
      let item = items[Int(numbers.below(4))]
      guard player.canInsert(item, after: nil) else { return "nothing" }
      player.insert(item, after: nil)
      return "insert"
    case 12:
      let item = items[Int(numbers.below(4))]
      guard player.canInsert(item, after: nil) else { return "nothing" }
      player.replaceCurrentItem(with: item)
      return "replace"
    case 13: player.replaceCurrentItem(with: numbers.chance(30) ? nil : player.currentItem); return "replace with nil"
    case 14: player.advanceToNextItem(); return "advance"
    case 15:
      if let item = player.items().last { player.remove(item) }
      return "remove the last"
    case 16:
      player.actionAtItemEnd = [.advance, .pause, .none][Int(numbers.below(3))]
      return "actionAtItemEnd \(player.actionAtItemEnd)"
    case 17:
      guard player.status == .readyToPlay, player.rate == 0 else { return "nothing" }
      player.preroll(atRate: 1, completionHandler: answer())
      return "preroll"
    case 18:
      player.currentItem?.step(byCount: numbers.chance(50) ? 1 : -2)
      return "step"
    case 19:
      if timeTokens.count < 3 {
        timeTokens.append(player.addPeriodicTimeObserver(forInterval: seconds(0.2), queue: .main) { _ in })
      } else {
        player.removeTimeObserver(timeTokens.removeFirst())
      }
      return "time observer"
    case 20:
      items[Int(numbers.below(4))] = AVPlayerItem(url: stage.url)
      return "a fresh item"
    default:
      player.volume = Float(numbers.below(100)) / 100
      player.isMuted.toggle()
      return "volume"
    }
  }

  func brokenInvariant() -> String? {
    // Read in one go on the main queue's terms: the engine may move on between two getters, so a mismatch is looked at
    // once more.
    for attempt in 0..<2 {
      let (rate, control, reason) = (player.rate, player.timeControlStatus, player.reasonForWaitingToPlay)
      let item = player.currentItem
      var broken: String?
      if (control == .paused) != (rate == 0) { broken = "1: \(control) at rate \(rate)" }
      if control == .playing, item?.status != .readyToPlay { broken = "2: playing without a ready item" }
      if (reason != nil) != (control == .waitingToPlayAtSpecifiedRate) {
        broken = "3: \(control) because \(reason as Any)"
      }
      if reason == .toMinimizeStalls, !player.automaticallyWaitsToMinimizeStalling { broken = "4" }
      if reason == .noItemToPlay, item != nil { broken = "waits for an item it has" }
      if Set(player.items()).count != player.items().count { broken = "an item twice" }
      if broken == nil || attempt == 1 { return broken }
    }
    return nil
  }

  /// Lets the player go: what was asked is answered, once each.
  func finish() async {
    player.pause()
    await stage.sleep(500)
    let truth = [
      "rate": "\(player.rate)", "control": "\(player.timeControlStatus.rawValue)",
      "reason": player.reasonForWaitingToPlay?.rawValue ?? "nil",
      "item": player.currentItem.map { ObjectIdentifier($0).debugDescription } ?? "nil",
      "status": "\(player.currentItem?.status.rawValue ?? -1)",
    ]
    for (key, value) in seen.last { #expect(truth[key] == value, "\(key)") }
    player.removeAllItems()
    observations.forEach { $0.invalidate() }
    for token in timeTokens { player.removeTimeObserver(token) }
    // An item without a player keeps its seek until it goes.
    items = []
    await stage.until("all answered") { self.answers.all.count >= self.asked }
    await stage.sleep(500)
    let counts = Dictionary(answers.all.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(counts.count == asked)
    #expect(counts.values.allSatisfy { $0 == 1 })
    #expect(asked > 50)
  }
}

/// The last value that an observer was told, by property.
private final class Seen: Sendable {
  private let values = Lock<[String: String]>([:])

  func note(_ key: String, _ value: String) { values.withLock { $0[key] = value } }
  var last: [String: String] { values.withLock { $0 } }
}
