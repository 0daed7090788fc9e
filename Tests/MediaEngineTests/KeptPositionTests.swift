import CoreMedia
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// An item that leaves its player keeps its place, or the one it was to go to.
@Suite struct KeptPositionTests {
  private func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds, timescale: 1_000) }

  private struct World {
    let backend = FakeBackend()
    let runner: PlayerRunner

    init() {
      backend.add(.make())
      runner = PlayerRunner(backend: backend)
    }

    func item() -> ItemCore {
      ItemCore(asset: AssetCore(url: backend.url(), options: .init(), environment: runner.environment))
    }
  }

  @Test("A player that is closed or dropped leaves its item where it was", arguments: [true, false])
  func playerGoes(closes: Bool) throws {
    let world = World()
    defer { world.runner.shutdown() }
    let item = world.item()
    do {
      let player = PlayerCore(environment: world.runner.environment)
      player.replaceCurrentItem(item)
      player.play()
      try world.runner.pass(.seconds(3 as Int64))
      #expect(player.currentTime() > time(2_500))
      if closes { player.close() }
    }
    try world.runner.pass(.seconds(1 as Int64))
    let place = item.currentTime()
    #expect(place > time(2_500))
    let watched = item.accessLog.map(\.durationWatched)
    #expect(abs(watched.reduce(0, +) - place.seconds) < 0.1)

    let next = world.runner.makePlayer()
    next.replaceCurrentItem(item)
    try world.runner.advance(next).until(.ready)
    #expect(next.currentTime() == place)
    next.play()
    try world.runner.pass(.seconds(1 as Int64))
    // The record of the first player is closed.
    #expect(item.accessLog.count == 2)
    #expect(item.accessLog.first?.durationWatched == watched.first)
    next.close()
  }

  @Test("A seek that was not carried out is, by the next player")
  func unlandedSeek() throws {
    let world = World()
    defer { world.runner.shutdown() }
    let player = world.runner.makePlayer()
    let items = (0..<4).map { _ in world.item() }
    // Too far back to be loaded.
    items[3].seek(to: time(4_000), toleranceBefore: .zero, toleranceAfter: .zero)
    for item in items { player.insert(item, after: nil) }
    try world.runner.advance(player).until(.ready)
    player.remove(items[3])
    // In the middle of a seek.
    player.seek(to: time(7_000), toleranceBefore: .zero, toleranceAfter: .zero)
    player.remove(items[0])
    player.close()
    try world.runner.pass(.seconds(1 as Int64))
    for (index, place) in [(3, time(4_000)), (0, time(7_000))] {
      let next = world.runner.makePlayer()
      next.replaceCurrentItem(items[index])
      try world.runner.advance(next).until(.ready)
      #expect(next.currentTime() == place)
      next.close()
    }
  }

  @Test("A place before the start is the start, also without a player")
  func beforeTheStart() throws {
    let world = World()
    defer { world.runner.shutdown() }
    let item = world.item()
    let player = world.runner.makePlayer()
    player.replaceCurrentItem(item)
    try world.runner.advance(player).until(.ready)
    player.replaceCurrentItem(nil)
    try world.runner.pass(.zero)
    item.seek(to: time(-5_000))
    #expect(item.currentTime() == .zero)
    player.close()
  }

  @Test("The time to readiness does not grow while nobody plays")
  func startupTime() throws {
    let world = World()
    defer { world.runner.shutdown() }
    let item = world.item()
    let player = world.runner.makePlayer()
    player.replaceCurrentItem(item)
    try world.runner.pass(.seconds(60 as Int64))
    player.play()
    try world.runner.advance(player).until(.playing)
    try world.runner.pass(.seconds(1 as Int64))
    let startup = try #require(item.accessLog.first?.startupTime)
    #expect(startup >= 0 && startup < 1)
    player.close()
  }
}
