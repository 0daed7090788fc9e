import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport

/// One clip played backward through a player on virtual time, with what came to its output and when.
final class ReverseTrial {
  struct Shown: Equatable {
    var number: Int?
    /// Item time at which the frame came.
    var at: CMTime
  }

  let truth: FrameTruth
  let runner: PlayerRunner
  let player: PlayerCore
  let item: ItemCore
  let output = VideoFrameOutput()
  let sinks = CapturingAudioSinks()
  private let frames = Frames()

  private final class Frames: Sendable {
    let list = Lock<[Shown]>([])
  }

  init(_ name: String) throws {
    let clip = try Fixture.url(name)
    truth = try FrameTruth(clip)
    runner = PlayerRunner.files(sinks: sinks)
    player = runner.makePlayer()
    item = runner.makeItem(file: clip)
    item.addOutput(output)
    output.setHandlers(onFrameDue: { [frames, player] frame in
      let number = (try? frame.picture.pixelBuffer()).flatMap { FrameCode.read($0) }
      let shown = Shown(number: number, at: player.currentTime())
      frames.list.withLock { $0.append(shown) }
    })
    player.replaceCurrentItem(item)
    try runner.advance(player).until(.ready)
  }

  deinit {
    player.close()
    runner.shutdown()
  }

  /// What came, without what was shown already: at the end, the item's own decoding finds its last frame once more.
  var shown: [Shown] {
    frames.list.withLock { $0 }.reduce(into: []) { if $0.last?.number != $1.number { $0.append($1) } }
  }

  func clear() { frames.list.withLock { $0 = [] } }

  /// An exact seek that is over.
  func land(_ time: CMTime) throws {
    let isOver = Lock(false)
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { _ in isOver.withLock { $0 = true } }
    try runner.advance(player).until(PlayerCondition("landing") { _, _ in isOver.withLock { $0 } })
  }

  func until(_ condition: PlayerCondition) throws { try runner.advance(player).until(condition) }

  /// The number that the output shows at the player's time.
  var number: Int? {
    output.frame(at: player.currentTime()).flatMap { try? $0.picture.pixelBuffer() }.flatMap { FrameCode.read($0) }
  }

  var numberWanted: Int { truth.number(at: player.currentTime()) }
}
