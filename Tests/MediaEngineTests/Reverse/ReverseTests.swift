import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite struct ReverseTests {
  private static let slack = 0.000_3

  @Test(
    "Every frame comes in descending order, each when time comes down to where the one behind it begins",
    arguments: seekClips, [-1, -2] as [Float])
  func everyFrameComes(clip: String, rate: Float) throws {
    let trial = try ReverseTrial(clip)
    let times = trial.truth.times
    let start = times.count - 2
    try trial.land(times[start])
    trial.clear()
    trial.player.setRate(rate)
    try trial.until(.paused)
    let shown = trial.shown
    #expect(shown.map(\.number) == trial.truth.numbers[..<start].reversed().map { $0 })
    let late = shown.enumerated().filter { place, frame in
      place <= start && abs((frame.at - times[start - place]).seconds) >= Self.slack
    }
    #expect(late.isEmpty, "\(late.count) of \(shown.count)")
    #expect(trial.player.currentTime() == .zero)
    #expect(trial.runner.recorder(trial.player).endCount == 1)
  }

  @Test("Half speed takes twice as long; the sound is silent", arguments: [-0.5, -1, -2] as [Float])
  func speedIsKept(rate: Float) throws {
    let trial = try ReverseTrial("plain.mp4")
    try trial.land(CMTime(value: 4, timescale: 1))
    trial.player.setRate(rate)
    try trial.until(.position(CMTime(value: 7, timescale: 2)))
    let (from, begun) = (trial.player.currentTime(), trial.runner.scheduler.now)
    try trial.runner.pass(.milliseconds(1_010))
    let moved = (trial.player.currentTime() - from).seconds
    #expect(abs(moved - Double(rate) * (trial.runner.scheduler.now - begun).seconds) < 0.001)
    #expect(trial.number == trial.numberWanted)
    // What was queued before has faded out.
    let heard = try #require(trial.sinks.sinks.first).played.suffix(48_000)
    #expect(heard.allSatisfy { $0 == 0 })
  }

  @Test func itTurnsAroundWhereItIs() throws {
    let trial = try ReverseTrial("long-gop.mp4")
    try trial.land(CMTime(value: 4, timescale: 1))
    trial.player.setRate(-1)
    try trial.until(.position(CMTime(value: 3, timescale: 1)))
    trial.clear()
    let turn = trial.player.currentTime()
    trial.player.setRate(1)
    try trial.until(.position(CMTime(value: 7, timescale: 2)))
    let numbers = trial.shown.compactMap(\.number)
    #expect(numbers == numbers.sorted() && numbers.count > 10)
    #expect(numbers.first == trial.truth.number(at: turn))
    #expect(trial.number == trial.numberWanted)
    trial.clear()
    trial.player.setRate(-1)
    try trial.until(.position(CMTime(value: 5, timescale: 2)))
    let back = trial.shown.compactMap(\.number)
    #expect(back == back.sorted(by: >) && back.count > 20)
  }

  @Test func atRestStepsBothWaysAreExact() throws {
    let trial = try ReverseTrial("b-pyramid.mp4")
    try trial.land(CMTime(value: 3, timescale: 1))
    trial.player.setRate(-1)
    try trial.until(.position(CMTime(value: 2, timescale: 1)))
    trial.player.pause()
    let rest = trial.player.currentTime()
    try trial.runner.pass(.milliseconds(300))
    #expect(trial.player.currentTime() == rest)
    #expect(trial.number == trial.numberWanted)
    for count in [-1, -1, 1, 1, 1, -2] {
      let before = trial.numberWanted
      trial.item.step(byCount: count)
      try trial.runner.pass(.milliseconds(300))
      #expect(trial.number == before + count)
      #expect(trial.numberWanted == before + count)
    }
  }

  @Test func aSeekWhilePlayingBackwardGoesOnFromThere() throws {
    let trial = try ReverseTrial("open-gop.mp4")
    try trial.land(CMTime(value: 4, timescale: 1))
    trial.player.setRate(-1)
    try trial.until(.position(CMTime(value: 3, timescale: 1)))
    try trial.land(CMTime(value: 2, timescale: 1))
    trial.clear()
    // Between two frames' beginnings.
    try trial.until(.position(CMTime(value: 99, timescale: 100)))
    #expect(trial.player.snapshot.rate == -1)
    let numbers = trial.shown.compactMap(\.number)
    #expect(numbers == numbers.sorted(by: >) && numbers.count > 20)
    #expect(trial.number == trial.numberWanted)
  }

  @Test func theEndTimeBackwardIsKept() throws {
    let trial = try ReverseTrial("plain.mp4")
    trial.item.setReverseEndTime(CMTime(value: 5, timescale: 2))
    try trial.land(CMTime(value: 4, timescale: 1))
    trial.player.setRate(-1)
    try trial.until(.paused)
    #expect(trial.player.currentTime() == CMTime(value: 5, timescale: 2))
    #expect(trial.runner.recorder(trial.player).endCount == 1)
    // Started below it, it has ended.
    try trial.land(CMTime(value: 1, timescale: 1))
    trial.player.setRate(-1)
    try trial.until(.paused)
    #expect(trial.player.currentTime() == CMTime(value: 1, timescale: 1))
  }

  @Test func theEndTimeBackwardMayChangeMeanwhile() throws {
    let trial = try ReverseTrial("plain.mp4")
    trial.item.setReverseEndTime(CMTime(value: 3, timescale: 1))
    try trial.land(CMTime(value: 4, timescale: 1))
    trial.player.setRate(-1)
    try trial.until(.position(CMTime(value: 7, timescale: 2)))
    trial.item.setReverseEndTime(CMTime(value: 2, timescale: 1))
    try trial.until(.paused)
    #expect(trial.player.currentTime() == CMTime(value: 2, timescale: 1))
  }

  @Test("Without its pictures time goes on, and with them again they are those of its time")
  func picturesGoAndComeBack() throws {
    let trial = try ReverseTrial("plain.mp4")
    try trial.land(CMTime(value: 4, timescale: 1))
    trial.player.setRate(-1)
    try trial.until(.position(CMTime(value: 7, timescale: 2)))
    let track = try #require(trial.item.snapshot.tracks.first { $0.track.kind == .video }).track.id
    trial.item.setEnabled(false, track: track)
    try trial.runner.pass(.milliseconds(100))
    trial.clear()
    try trial.until(.position(CMTime(value: 3, timescale: 1)))
    #expect(trial.shown.isEmpty)
    trial.item.setEnabled(true, track: track)
    try trial.until(.position(CMTime(value: 199, timescale: 100)))
    #expect(trial.number == trial.numberWanted)
    try trial.until(.paused)
    #expect(trial.player.currentTime() == .zero)
  }

  @Test func whereNothingIsDoneAtTheEndTimeStandsAtTheStart() throws {
    let trial = try ReverseTrial("plain.mp4")
    trial.player.setActionAtItemEnd(.none)
    try trial.land(CMTime(value: 1, timescale: 2))
    trial.player.setRate(-1)
    try trial.until(.ended)
    try trial.runner.pass(.milliseconds(700))
    #expect(trial.player.snapshot.rate == -1)
    #expect(trial.player.currentTime() == .zero)
    #expect(trial.runner.recorder(trial.player).endCount == 1)
  }

  @Test func atTheStartThereIsNothingBackward() throws {
    let trial = try ReverseTrial("plain.mp4")
    trial.player.setRate(-1)
    try trial.until(.paused)
    #expect(trial.player.currentTime() == .zero)
    trial.player.play()
    try trial.until(.position(CMTime(value: 1, timescale: 2)))
    #expect(trial.number == trial.numberWanted)
  }

  @Test func onlyWhatCanBePlayedBackwardSaysSo() throws {
    let film = try ReverseTrial("plain.mp4")
    #expect(film.item.snapshot.canPlayReverse && film.item.snapshot.canPlaySlowReverse)
    #expect(film.item.snapshot.canPlayFastReverse)
    let runner = PlayerRunner.files()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    defer { player.close() }
    let song = runner.makeItem(file: try Fixture.url("tone.flac"))
    player.replaceCurrentItem(song)
    try runner.advance(player).until(.ready)
    #expect(!song.snapshot.canPlayReverse && !song.snapshot.canPlaySlowReverse && !song.snapshot.canPlayFastReverse)
    player.setRate(-1)
    #expect(player.snapshot.rate == 0)
  }
}
