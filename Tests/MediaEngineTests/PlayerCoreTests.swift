import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("PlayerCore over a fake driver, on virtual time")
struct PlayerCoreTests {
  @Test("Playing a film to its end tells everything in order, each once")
  func wholeFilm() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem()
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.ended)
    try runner.pass(.milliseconds(1_000))
    #expect(
      runner.recorder(player).text == """
        0.000 currentItem a
        0.000 rate 1.0
        0.000 reason evaluatingBufferingRate
        0.000 timeControl waiting
        0.000 rateDidChange setRateCalled
        0.010 status readyToPlay
        0.020 item a duration 10.000
        0.020 item a tracks 3
        0.020 item a bufferEmpty false
        0.020 item a likelyToKeepUp true
        0.020 item a status readyToPlay
        0.025 reason nil
        0.025 timeControl playing
        0.025 newAccessLogEntry a
        10.025 rate 0.0
        10.025 timeControl paused
        10.025 didPlayToEnd a
        10.025 rateDidChange endOrStall
        """)
    #expect(item.currentTime() == CMTime(value: 10, timescale: 1))
    #expect(runner.fakeDrivers.first?.calls == ["attach 1", "current 1", "run 1.0", "halt"])
  }

  @Test("What a call changes is published and told before it returns")
  func callersOwnChanges() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    player.play()
    #expect(player.snapshot.rate == 1)
    #expect(
      runner.recorder(player).plainLines == [
        "rate 1.0", "reason noItemToPlay", "timeControl waiting", "rateDidChange setRateCalled",
      ])
    let item = runner.makeItem()
    player.replaceCurrentItem(item)
    #expect(player.snapshot.currentItem === item)
    #expect(item.player === player)
  }

  @Test("A superseded seek is answered false before the newer call returns, the newest true when it lands")
  func supersededSeek() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    player.replaceCurrentItem(runner.makeItem())
    try runner.advance(player).until(.ready)
    let recorder = runner.recorder(player)
    recorder.clear()
    for number in 1...3 {
      player.seek(to: CMTime(value: Int64(number), timescale: 1), completion: recorder.completion("seek \(number)"))
    }
    #expect(recorder.plainLines == ["seek 1 false", "seek 2 false"])
    try runner.advance(player).until(.written("seek 3 true"))
    #expect(recorder.plainLines == ["seek 1 false", "seek 2 false", "timeJumped a", "seek 3 true"])
    #expect(player.currentTime() == CMTime(value: 3, timescale: 1))
  }

  @Test("A completion that seeks again neither deadlocks nor overtakes")
  func reentrantSeek() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    player.replaceCurrentItem(runner.makeItem())
    try runner.advance(player).until(.ready)
    let recorder = runner.recorder(player)
    recorder.clear()
    player.seek(to: CMTime(value: 1, timescale: 1)) { [weak player] finished in
      recorder.note("first \(finished)")
      player?.seek(to: CMTime(value: 3, timescale: 1), completion: recorder.completion("third"))
    }
    player.seek(to: CMTime(value: 2, timescale: 1), completion: recorder.completion("second"))
    #expect(recorder.plainLines == ["first false", "second false"])
    try runner.advance(player).until(.written("third true"))
    #expect(player.currentTime() == CMTime(value: 3, timescale: 1))
  }

  @Test("A handler that commands is told the rest of its own transition first")
  func reentrantHandler() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = PlayerCore(environment: runner.environment)
    let told = Lock<[String]>([])
    player.eventHandler = { [weak player] event in
      switch event {
      case .playerChanged(let old, let new):
        told.withLock { $0.append("rate \(old.rate) to \(new.rate)") }
        if new.rate == 1 { player?.setRate(2) }
      case .notification(.rateDidChange): told.withLock { $0.append("notified") }
      default: break
      }
    }
    player.play()
    #expect(
      told.withLock { $0 } == ["rate 0.0 to 1.0", "notified", "rate 1.0 to 2.0", "notified"])
    #expect(player.snapshot.rate == 2)
  }

  @Test("P079: seek, then play, before ready: begins there, ready once; without a player answered at once")
  func seekBeforeReady() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem()
    let recorder = runner.recorder(player)
    item.seek(to: CMTime(value: 2, timescale: 1), completion: recorder.completion("first"))
    item.seek(to: CMTime(value: 3, timescale: 1), completion: recorder.completion("second"))
    #expect(recorder.plainLines == ["first true", "second true"])
    item.cancelPendingSeeks()
    player.replaceCurrentItem(item)
    player.play()
    #expect(item.currentTime() == .zero)
    try runner.advance(player).until(.playing)
    #expect(recorder.plainLines.filter { $0.hasPrefix("second") || $0.hasPrefix("first") }.count == 2)
    #expect(recorder.plainLines.filter { $0 == "item a status readyToPlay" }.count == 1)
    #expect(item.currentTime() >= CMTime(value: 3, timescale: 1))
  }

  @Test("A seek in the ready handler and six more after it are each answered once")
  func seekInReadyHandler() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = PlayerCore(environment: runner.environment)
    let answers = Lock<[Bool]>([])
    let statuses = Lock(0)
    player.eventHandler = { [weak player] event in
      guard case .itemChanged(_, let old, let new) = event, old.status != new.status else { return }
      statuses.withLock { $0 += 1 }
      for second in 1...7 {
        player?.seek(to: CMTime(value: Int64(second), timescale: 1)) { finished in
          answers.withLock { $0.append(finished) }
        }
      }
    }
    player.replaceCurrentItem(runner.makeItem())
    try runner.pass(.milliseconds(1_000))
    #expect(answers.withLock { $0 } == [false, false, false, false, false, false, true])
    #expect(statuses.withLock { $0 } == 1)
    #expect(player.currentTime() == CMTime(value: 7, timescale: 1))
  }

  @Test("An item belongs to one player and is free as soon as it has left")
  func oneItemOnePlayer() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let first = runner.makePlayer()
    let second = runner.makePlayer()
    let item = runner.makeItem()
    #expect(first.replaceCurrentItem(item))
    #expect(!second.canAttach(item) && first.canAttach(item))
    #expect(!second.replaceCurrentItem(item) && !second.insert(item, after: nil))
    #expect(second.snapshot.currentItem == nil)
    #expect(first.replaceCurrentItem(item))
    try runner.advance(first).until(.ready)
    first.replaceCurrentItem(nil)
    #expect(item.player == nil && item.snapshot.status == .readyToPlay)
    #expect(second.replaceCurrentItem(item))
    #expect(item.snapshot.status == .unknown)
    try runner.advance(second).until(.ready)
  }

  @Test("An item that has left keeps its last values and its time, and nothing reaches it any more")
  func frozenItem() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem()
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.position(2))
    let time = item.currentTime()
    player.replaceCurrentItem(runner.makeItem("b"))
    runner.recorder(player).clear()
    #expect(item.currentTime() == time)
    #expect(item.snapshot.duration == CMTime(value: 10, timescale: 1))
    try runner.pass(.milliseconds(1_000))
    #expect(!runner.recorder(player).text.contains("item a"))
    let answer = Lock<Bool?>(nil)
    item.seek(to: CMTime(value: 5, timescale: 1)) { finished in answer.withLock { $0 = finished } }
    #expect(answer.withLock { $0 } == true)
    #expect(item.currentTime() == CMTime(value: 5, timescale: 1))
  }

  @Test("A queue goes over without a pause and tells of each end")
  func gaplessQueue() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    player.setActionAtItemEnd(.advance)
    for name in ["a", "b", "c"] { player.insert(runner.makeItem(name), after: nil) }
    player.play()
    try runner.advance(player).until(.written("currentItem none"))
    let lines = runner.recorder(player).plainLines
    #expect(lines.filter { $0.hasPrefix("didPlayToEnd") } == ["didPlayToEnd a", "didPlayToEnd b", "didPlayToEnd c"])
    #expect(
      lines.filter { $0.hasPrefix("timeControl") } == [
        "timeControl waiting", "timeControl playing", "timeControl waiting",
      ])
    #expect(player.snapshot.waitingReason == .noItemToPlay)
    #expect(runner.scheduler.elapsed == .milliseconds(30_025))
    #expect(runner.fakeDrivers.first?.attachedCount == 0)
  }

  @Test("A stall waits and recovers by itself; it is logged")
  func stall() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem()
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.position(1))
    runner.recorder(player).clear()
    runner.fakeDrivers.first?.stall(for: .milliseconds(2_000))
    try runner.pass(.milliseconds(3_000))
    #expect(
      runner.recorder(player).plainLines.filter { !$0.hasPrefix("item") } == [
        "reason toMinimizeStalls", "timeControl waiting", "playbackStalled a", "reason nil", "timeControl playing",
      ])
    #expect(item.accessLog.map(\.stalls) == [1])
  }

  @Test("An item that fails tells its error once, through item and log")
  func failure() throws {
    var script = FakeDriver.Script()
    script.failure = MediaError(.containerUnknown, "No film: choose another file.")
    let runner = PlayerRunner(scripts: ["bad": script])
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem("bad")
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.failed)
    #expect(item.snapshot.error?.code == .containerUnknown)
    #expect(item.errorLog.count == 1)
    #expect(player.snapshot.timeControl == .paused && player.snapshot.status == .readyToPlay)
    #expect(throws: RunnerStop.self) { try runner.advance(player).until(.playing) }
  }

  @Test("A wait that takes too long stops at the runner's limit of virtual time")
  func runnerLimit() {
    var script = FakeDriver.Script()
    script.isSilent = true
    let runner = PlayerRunner(scripts: ["a": script])
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    player.replaceCurrentItem(runner.makeItem())
    #expect(throws: RunnerStop.self) { try runner.advance(player, limit: .milliseconds(2_000)).until(.ready) }
    #expect(runner.scheduler.elapsed >= .milliseconds(2_000))
  }

  @Test("The evaluation ends by itself when an item keeps silent")
  func evaluationEnds() throws {
    var script = FakeDriver.Script()
    script.isSilent = true
    let runner = PlayerRunner(scripts: ["a": script])
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    player.replaceCurrentItem(runner.makeItem())
    player.play()
    try runner.pass(.milliseconds(99))
    #expect(player.snapshot.waitingReason == .evaluatingBufferingRate)
    try runner.pass(.milliseconds(2))
    #expect(player.snapshot.waitingReason == .toMinimizeStalls)
  }

  @Test("Settings made before there is a player go along, and a copy has them but neither outputs nor position")
  func settings() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let item = runner.makeItem()
    item.setForwardEndTime(CMTime(value: 4, timescale: 1))
    item.setPreferredForwardBufferDuration(.nan)
    item.seek(to: CMTime(value: 2, timescale: 1))
    item.select(track: 3, kind: .audio)
    item.setEnabled(false, track: 1)
    let copy = ItemCore(asset: item.asset)
    item.copyConfiguration(to: copy)
    #expect(copy.snapshot.forwardEndTime == CMTime(value: 4, timescale: 1))
    #expect(copy.snapshot.preferredForwardBufferDuration == 0)
    let player = runner.makePlayer()
    player.replaceCurrentItem(copy)
    #expect(copy.snapshot.forwardEndTime == CMTime(value: 4, timescale: 1))
    try runner.advance(player).until(.ready)
    #expect(copy.currentTime() == .zero)
    #expect(copy.snapshot.selectedTracks[.audio] == .some(3))
    #expect(copy.snapshot.tracks.map(\.isEnabled) == [false, false, true])
  }

  @Test("Outputs of an item reach the driver once, whenever they are added")
  func outputs() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem()
    let early = VideoFrameOutput()
    item.addOutput(early)
    item.addOutput(early)
    player.replaceCurrentItem(item)
    let late = VideoFrameOutput()
    item.addOutput(late)
    item.removeOutput(late)
    #expect(
      runner.fakeDrivers.first?.calls == [
        "attach 1", "add output to 1", "current 1", "add output to 1", "remove output from 1",
      ])
  }
}
