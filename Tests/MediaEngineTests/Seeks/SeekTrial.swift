import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport

/// Random exact seeks in one clip through a player on virtual time; each is judged by the pixels that come.
///
/// Of four seeks one is made while playing and one supersedes others; two are made at rest, one of them with room for a
/// key frame, from where it steps, plays or seeks on.
final class SeekTrial {
  /// A picture other than the truth's, or an answer other than the rule's.
  struct Miss: CustomStringConvertible {
    let description: String
  }

  private let name: String
  private let seed: UInt64
  private let truth: FrameTruth
  private let runner = PlayerRunner.files()
  private let player: PlayerCore
  private let item: ItemCore
  private let output = VideoFrameOutput()
  private var random: SeededNumbers
  private var misses: [Miss] = []
  private var story = ""

  private init(_ name: String, seed: UInt64) throws {
    self.name = name
    self.seed = seed
    let clip = try Fixture.url(name)
    truth = try FrameTruth(clip)
    random = SeededNumbers(seed)
    player = runner.makePlayer()
    item = runner.makeItem(file: clip)
    item.addOutput(output)
  }

  /// Runs so many seeks and returns those that went wrong.
  static func run(_ name: String, seeks: Int, seed: UInt64) throws -> [Miss] {
    let trial = try SeekTrial(name, seed: seed)
    defer {
      trial.player.close()
      trial.runner.shutdown()
    }
    trial.player.replaceCurrentItem(trial.item)
    try trial.runner.advance(trial.player).until(.ready)
    for number in 0..<seeks { try trial.seek(number) }
    return trial.misses
  }

  private func seek(_ number: Int) throws {
    story = "\(name) seed \(seed) #\(number):"
    switch number % 4 {
    case 1:
      player.play()
      try passAtMost(700)
      try land(target())
      try passAtMost(400)
      judge("while playing on")
      player.pause()
    case 3:
      if Bool.random(using: &random) { player.play() }
      var answers: [Answer] = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        answers.append(ask(target()))
        if Bool.random(using: &random) { try passAtMost(30) }
      }
      try land(target())
      for answer in answers where answer.values.count != 1 { miss("a superseded seek was answered \(answer.values)") }
      player.pause()
    case 2:
      try land(target())
    default:
      try landWithRoom()
    }
  }

  /// Where a key frame is good enough, and on from there.
  private func landWithRoom() throws {
    let answer = ask(target(), tolerance: .positiveInfinity)
    try wait(for: answer)
    judge("at the key frame")
    try passAtMost(250)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      for _ in 0..<3 {
        let (from, end) = (truth.number(at: player.currentTime()), truth.number(at: truth.times.last ?? .zero))
        story += " step"
        item.step(byCount: 1)
        try runner.pass(.milliseconds(100))
        judge("after a step")
        let number = truth.number(at: player.currentTime())
        if number != min(from + 1, end) { miss("a step from \(from) leads to \(number)") }
      }
    case 1:
      player.play()
      try passAtMost(600)
      judge("while playing on from the key frame")
      player.pause()
    default:
      let on = CMTime(value: Int64.random(in: 0...1_500, using: &random), timescale: 1_000)
      try land(CMTimeMinimum(player.currentTime() + on, truth.times.last ?? .zero))
    }
  }

  private final class Answer: Sendable {
    let all = Lock<[Bool]>([])
    var values: [Bool] { all.withLock { $0 } }
  }

  private func ask(_ time: CMTime, tolerance: CMTime = .zero) -> Answer {
    story += " \(time.value)/\(time.timescale)"
    let answer = Answer()
    player.seek(to: time, toleranceBefore: tolerance, toleranceAfter: tolerance) { finished in
      answer.all.withLock { $0.append(finished) }
    }
    return answer
  }

  private func land(_ time: CMTime) throws {
    let answer = ask(time)
    try wait(for: answer)
    guard answer.values == [true] else { return }
    let now = player.currentTime()
    let duration = item.snapshot.duration
    let wanted = duration.isNumeric ? min(time, duration) : time
    if now < wanted { miss("stands at \(now.seconds), before the target \(wanted.seconds)") }
    if player.snapshot.rate == 0, now != wanted { miss("stands at \(now.seconds), not at \(wanted.seconds)") }
    judge("at the target")
  }

  private func wait(for answer: Answer) throws {
    try runner.advance(player).until(PlayerCondition("landing in \(story)") { _, _ in !answer.values.isEmpty })
    if answer.values != [true] { miss("answered \(answer.values)") }
  }

  private func judge(_ when: String) {
    let now = player.currentTime()
    let frame = output.frame(at: now)
    let number = frame.flatMap { try? $0.picture.pixelBuffer() }.flatMap { FrameCode.read($0) }
    let wanted = truth.number(at: now)
    guard number != wanted else { return }
    miss("\(when): \(now.seconds) shows \(number.map(String.init) ?? "no code") and not \(wanted)")
  }

  private func miss(_ text: String) { misses.append(Miss(description: "\(story): \(text)")) }

  private func passAtMost(_ milliseconds: Int64) throws {
    try runner.pass(.milliseconds(Int64.random(in: 0...milliseconds, using: &random)))
  }

  /// Anywhere in the clip, in any time scale; a third of them exactly on a frame's beginning or one tick before.
  private func target() -> CMTime {
    let first = truth.times.first ?? .zero
    let end = truth.times.last ?? .zero
    if Int.random(in: 0..<3, using: &random) == 0, let time = truth.times.randomElement(using: &random) {
      let early = CMTime(value: time.value - 1, timescale: time.timescale)
      return Bool.random(using: &random) || early < first ? CMTimeMaximum(time, .zero) : early
    }
    let scale = [600, 1000, 44_100, 90_000, 1_000_000_000].randomElement(using: &random) ?? 600
    let limit = Int64((end.seconds + 0.02) * Double(scale))
    return CMTime(value: Int64.random(in: 0...max(limit, 1), using: &random), timescale: Int32(scale))
  }
}
