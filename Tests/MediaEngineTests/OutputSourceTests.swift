import CoreMedia
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Whose pictures an output has, when it or its item goes from one player to another.
@Suite struct OutputSourceTests {
  private let backend = FakeBackend()
  private let runner: PlayerRunner

  init() {
    backend.add(.make(audio: nil))
    runner = PlayerRunner(backend: backend)
  }

  private func makeItem() -> ItemCore {
    ItemCore(asset: AssetCore(url: backend.url(), options: SourceOptions(), environment: runner.environment))
  }

  /// A player whose only item plays since a second.
  private func playing(_ item: ItemCore) throws -> PlayerCore {
    let player = runner.makePlayer()
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.position(1))
    return player
  }

  @Test("The first items of two players are not taken for one another")
  func namesOfTwoPlayers() throws {
    defer { runner.shutdown() }
    let (first, second) = (makeItem(), makeItem())
    let players = (runner.makePlayer(), runner.makePlayer())
    players.0.replaceCurrentItem(first)
    players.1.replaceCurrentItem(second)
    let (one, other) = try (#require(first.id), #require(second.id))
    #expect(one != other)
    // What is written into traces does not tell how many players there were before.
    #expect(one.number == other.number)
  }

  @Test("An output taken from a playing item has none of its frames when the call returns, and its owner is told once")
  func takenFromItsItem() throws {
    defer { runner.shutdown() }
    let item = makeItem()
    let output = VideoFrameOutput()
    let flushes = Lock(0)
    output.setHandlers(onFlush: { flushes.withLock { $0 += 1 } })
    item.addOutput(output)
    let player = try playing(item)
    #expect(!output.window.isEmpty)
    let before = flushes.withLock { $0 }
    item.removeOutput(output)
    #expect(output.window.isEmpty)
    try runner.pass(.milliseconds(500))
    #expect(output.window.isEmpty)
    #expect(flushes.withLock { $0 } == before + 1)
    withExtendedLifetime(player) {}
  }

  @Test("An output added again while its removal is under way has the item's frames, and goes on to get them")
  func addedAgain() throws {
    defer { runner.shutdown() }
    let item = makeItem()
    let output = VideoFrameOutput()
    item.addOutput(output)
    let player = try playing(item)
    item.removeOutput(output)
    item.addOutput(output)
    try runner.pass(.milliseconds(500))
    let frame = try #require(output.frame(at: item.currentTime()))
    #expect((item.currentTime() - frame.time).seconds < 0.05)
    withExtendedLifetime(player) {}
  }

  @Test("An output that goes to another player's item has that one's frames, whatever the first pipeline still does")
  func movedToAnotherPlayersItem() throws {
    defer { runner.shutdown() }
    let (first, second) = (makeItem(), makeItem())
    let output = VideoFrameOutput()
    first.addOutput(output)
    let old = try playing(first)
    let new = runner.makePlayer()
    new.replaceCurrentItem(second)
    try runner.advance(new).until(.ready)
    first.removeOutput(output)
    second.addOutput(output)
    #expect(output.window.isEmpty)
    try runner.pass(.milliseconds(200))
    #expect(output.frame(at: .zero)?.time == .zero)
    #expect(output.window.allSatisfy { $0.seconds < 0.5 })
    withExtendedLifetime(old) {}
  }

  @Test("An item that goes from one player to another takes its outputs along, without the frames of the first one")
  func itemGoesToAnotherPlayer() throws {
    defer { runner.shutdown() }
    let item = makeItem()
    let output = VideoFrameOutput()
    let flushes = Lock(0)
    output.setHandlers(onFlush: { flushes.withLock { $0 += 1 } })
    item.addOutput(output)
    let old = try playing(item)
    let before = flushes.withLock { $0 }
    old.replaceCurrentItem(nil)
    #expect(output.window.isEmpty)
    #expect(flushes.withLock { $0 } == before + 1)
    let new = runner.makePlayer()
    #expect(new.replaceCurrentItem(item))
    try runner.advance(new).until(.ready)
    #expect(output.frame(at: item.currentTime()) != nil)
  }
}
