import CoreMedia
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Random commands to a whole engine: state machine, pipeline, timeline and sound must agree on what runs.
///
/// After each sequence: every seek was answered, what is shown as playing moves at its rate, what is shown as paused
/// stands, and played on, the queue comes to its end.
@Suite("Engine: random sequences")
struct EnginePropertyTests {
  /// For each of eight parts; in `./run soak engine` many more.
  private static let sequences: UInt64 = ProcessInfo.processInfo.environment["SPROCKET_SOAK"] == "engine" ? 250 : 10

  /// `SPROCKET_SEED` repeats one sequence alone.
  private static let seed = ProcessInfo.processInfo.environment["SPROCKET_SEED"].flatMap { UInt64($0) }

  @Test("Seeks are answered, time moves as shown, and the end comes", arguments: UInt64(0)..<8)
  func randomSequences(part: UInt64) {
    if let seed = Self.seed {
      guard part == 0, let fault = EngineRun.fault(seed: seed) else { return }
      Issue.record("Seed \(seed): \(fault)")
      return
    }
    for seed in part * Self.sequences..<(part + 1) * Self.sequences {
      if let fault = EngineRun.fault(seed: seed) {
        Issue.record("Seed \(seed): \(fault)")
        return
      }
    }
  }
}

/// Seeks that wait for their answer.
private final class OpenSeeks: Sendable {
  let open = Lock<Set<Int>>([])
}

private final class EngineRun {
  private var numbers: SeededNumbers
  private let backend = FakeBackend()
  private let runner: PlayerRunner
  private let player: PlayerCore
  private var known: [ItemCore] = []
  private var story: [String] = []
  private let answers = OpenSeeks()
  private var asked = 0
  private var waits = true

  private static let kinds = ["film", "silent", "song", "languages"]

  static func fault(seed: UInt64) -> String? {
    let run = EngineRun(seed)
    defer { run.runner.shutdown() }
    do {
      return try run.fault().map { "\($0)\nafter:\n" + run.story.joined(separator: "\n") }
    } catch {
      return "\(error)\nafter:\n" + run.story.joined(separator: "\n")
    }
  }

  private init(_ seed: UInt64) {
    numbers = SeededNumbers(seed)
    var video = ScriptedMedia.Video()
    var audio = ScriptedMedia.Audio()
    (video.seconds, audio.seconds) = (5, 5)
    let film = ScriptedMedia.make(video: video, audio: audio)
    backend.add(film, as: "film")
    backend.add(.make(video: video, audio: nil), as: "silent")
    backend.add(.make(video: nil, audio: audio), as: "song")
    backend.add(
      film.adding(1, like: .audio) { track, _ in track.extendedLanguageTag = "de" }, as: "languages")
    runner = PlayerRunner(backend: backend)
    player = runner.makePlayer()
  }

  private func fault() throws -> String? {
    waits = numbers.chance(60)
    player.setAutomaticallyWaits(waits)
    player.setActionAtItemEnd(numbers.chance(60) ? .advance : .pause)
    for _ in 0..<1 + numbers.below(3) { insert(after: nil) }
    for _ in 0..<4 + numbers.below(9) {
      command()
      if numbers.chance(60) {
        let wait = Nanoseconds.milliseconds(Int64(numbers.below(numbers.chance(20) ? 3_000 : 250)))
        story.append("  … \(wait.seconds) s")
        try runner.pass(wait)
      }
      if let failure = runner.recorder(player).failure { return "it failed: \(failure)" }
    }
    return try faultAtRest() ?? faultPlayedOut()
  }

  private func faultAtRest() throws -> String? {
    try runner.pass(.milliseconds(1_500))
    let open = answers.open.withLock { $0 }
    if !open.isEmpty { return "seeks were never answered: \(open.sorted())" }
    let before = (player.snapshot, player.currentTime().seconds)
    try runner.pass(.milliseconds(200))
    let after = (player.snapshot, player.currentTime().seconds)
    guard before.0.currentItem === after.0.currentItem, before.0.rate == after.0.rate, let item = after.0.currentItem
    else { return nil }
    let moved = after.1 - before.1
    switch after.0.timeControl {
    case .paused: return moved == 0 ? nil : "paused, yet it moved by \(moved)"
    case .waiting: return "waits for ever (\(String(describing: after.0.waitingReason))) at \(after.1)"
    case .playing:
      // It may have reached its end, and begun anew, meanwhile.
      let wanted = 0.2 * Double(after.0.rate)
      if abs(moved - wanted) < 0.01 || moved * wanted < 0 { return nil }
      return "plays at \(after.0.rate), yet moved from \(before.1) to \(after.1) of \(item.snapshot.duration.seconds)"
    }
  }

  private func faultPlayedOut() throws -> String? {
    story.append("played out")
    player.setActionAtItemEnd(.advance)
    player.setRate(2)
    for _ in 0..<40 where player.snapshot.currentItem != nil { try runner.pass(.milliseconds(500)) }
    if let item = player.snapshot.currentItem {
      return "no end: \(player.snapshot.timeControl) at \(player.currentTime().seconds) of "
        + "\(item.snapshot.duration.seconds), end \(item.snapshot.forwardEndTime.seconds)"
    }
    return nil
  }

  // MARK: Commands

  private func insert(after: ItemCore?) {
    let kind = Self.kinds[Int(numbers.below(4))]
    let item = ItemCore(asset: AssetCore(url: backend.url(kind), options: .init(), environment: runner.environment))
    if numbers.chance(20) {
      seek("new item", numbers.chance(50)) {
        item.seek(to: $0, toleranceBefore: $1, toleranceAfter: $1, completion: $2)
      }
    }
    story.append("insert \(kind)")
    player.insert(item, after: after)
    known.append(item)
  }

  private func seek(
    _ name: String, _ isExact: Bool, _ body: (CMTime, CMTime, @escaping @Sendable (Bool) -> Void) -> Void
  ) {
    let time = CMTime(value: Int64(numbers.below(7_000)) - 500, timescale: 1_000)
    asked += 1
    let number = asked
    story.append("seek \(number) of \(name) to \(time.seconds)\(isExact ? " exactly" : "")")
    answers.open.withLock { _ = $0.insert(number) }
    body(time, isExact ? .zero : .positiveInfinity) { [answers] _ in answers.open.withLock { _ = $0.remove(number) } }
  }

  private func command() {
    let items = player.snapshot.items
    switch numbers.below(20) {
    case 0..<4:
      story.append("play")
      player.play()
    case 4:
      story.append("pause")
      player.pause()
    case 5..<7:
      let rate = [0.5, 1, 1.5, 2, -1, -2, -0.5][Int(numbers.below(7))] as Float
      story.append("rate \(rate)")
      player.setRate(rate)
    case 7..<10:
      seek("current", numbers.chance(60)) {
        player.seek(to: $0, toleranceBefore: $1, toleranceAfter: $1, completion: $2)
      }
    case 10..<12:
      let count = [-2, -1, 1, 2][Int(numbers.below(4))]
      story.append("step \(count)")
      items.first?.step(byCount: count)
    case 12..<14:
      guard let item = items.randomElement(using: &numbers),
        let track = item.snapshot.tracks.randomElement(using: &numbers)
      else { return }
      let isOn = numbers.chance(60)
      story.append("track \(track.track.id) of \(item === items.first ? "current" : "another") \(isOn ? "on" : "off")")
      item.setEnabled(isOn, track: track.track.id)
    case 14:
      guard let item = items.first, let track = item.snapshot.tracks.last else { return }
      story.append("select sound \(track.track.id)")
      item.select(track: track.track.id, kind: .audio)
    case 15:
      guard let item = items.randomElement(using: &numbers) else { return }
      let end = numbers.chance(50) ? CMTime(value: Int64(numbers.below(5_000)), timescale: 1_000) : .invalid
      story.append("end of \(item === items.first ? "current" : "another") at \(end.seconds)")
      item.setForwardEndTime(end)
    case 16:
      guard items.count > 1 else { return insert(after: nil) }
      let next = items[1]
      if numbers.chance(50) {
        story.append("remove next")
        player.remove(next)
      } else {
        seek("next", true) { next.seek(to: $0, toleranceBefore: $1, toleranceAfter: $1, completion: $2) }
      }
    case 17:
      guard numbers.chance(40) else { return insert(after: items.first) }
      story.append("advance")
      player.advanceToNextItem()
    case 18:
      guard !waits else { return }
      let time = numbers.chance(50) ? CMTime(value: Int64(numbers.below(5_000)), timescale: 1_000) : .invalid
      let start = numbers.chance(50) ? runner.scheduler.now + .milliseconds(Int64(numbers.below(500))) : nil
      story.append("rate 1 from \(time.seconds) at \(start.map { "\($0)" } ?? "any time")")
      player.setRate(1, time: time, atHostTime: start)
    default:
      let advances = numbers.chance(50)
      story.append(advances ? "advances at the end" : "pauses at the end")
      player.setActionAtItemEnd(advances ? .advance : .pause)
    }
  }
}
