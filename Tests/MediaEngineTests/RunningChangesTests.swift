import CoreMedia
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// What changes just when something begins, joins, or is taken away: the run goes on as the last command says.
@Suite struct RunningChangesTests {
  private let first = ItemID(1)
  private let second = ItemID(2)

  private func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds, timescale: 1_000) }

  private func bench(video: Bool, audio: Bool) -> DriverBench {
    let bench = DriverBench()
    var (picture, sound) = (ScriptedMedia.Video(), ScriptedMedia.Audio())
    (picture.seconds, sound.seconds) = (5, 5)
    for name in ["a", "b"] {
      bench.backend.add(.make(video: video ? picture : nil, audio: audio ? sound : nil), as: name)
    }
    bench.load()
    return bench
  }

  /// Plays the first item up to where the second one has been joined to its end.
  private func joined(video: Bool, audio: Bool) -> DriverBench {
    let bench = bench(video: video, audio: audio)
    bench.driver.attach(second, asset: bench.asset("b"), configuration: .init())
    bench.driver.setCurrent(first, upcoming: [second])
    #expect(bench.wait { $0 == "ready 2" })
    bench.seek(to: time(4_000))
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(0.9)
    return bench
  }

  private static let kinds = [(false, true), (true, false), (true, true)]

  @Test("A rate set between the start and the first moment that moves is the one that counts", arguments: kinds)
  func rateAtStart(video: Bool, audio: Bool) {
    let bench = bench(video: video, audio: audio)
    defer { bench.finish() }
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.driver.run(rate: 2, from: nil, at: nil)
    bench.advance(0.5)
    let before = bench.time().seconds
    bench.advance(1)
    #expect(abs(bench.time().seconds - before - 2) < 0.001)
    // And while a start at a host time is waited for.
    bench.seek(to: .zero)
    bench.driver.run(rate: 1, from: nil, at: bench.scheduler.now + .seconds(1 as Int64))
    bench.advance(0.5)
    bench.driver.run(rate: 2, from: nil, at: nil)
    bench.advance(1.5)
    #expect(abs(bench.time().seconds - 2) < 0.01)
  }

  @Test("A rate set right after another sound was chosen is not lost")
  func rateAfterSelection() {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(ScriptedMedia.make().adding(1, like: .audio) { track, _ in track.extendedLanguageTag = "de" })
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    var other = ItemConfiguration()
    other.selectedTracks[.audio] = .some(3)
    bench.driver.reconfigure(first, other)
    bench.driver.run(rate: 2, from: nil, at: nil)
    bench.advance(1)
    let before = bench.time().seconds
    bench.advance(1)
    #expect(abs(bench.time().seconds - before - 2) < 0.001)
  }

  @Test("A new rate that the sound has not taken yet does not outlive the sound")
  func rateBeforeTheSoundGoes() {
    let bench = bench(video: false, audio: true)
    defer { bench.finish() }
    bench.driver.run(rate: 2, from: nil, at: nil)
    bench.advance(0.5)
    bench.driver.run(rate: 1, from: nil, at: nil)
    var silent = ItemConfiguration()
    silent.selectedTracks[.audio] = .some(nil)
    bench.driver.reconfigure(first, silent)
    bench.advance(0.5)
    let before = bench.time().seconds
    bench.advance(1)
    #expect(abs(bench.time().seconds - before - 1) < 0.001)
  }

  @Test("An end time shortly before the media's own: the next item takes over there, and plays", arguments: kinds)
  func endTimeBeforeTheMediasEnd(video: Bool, audio: Bool) {
    let bench = bench(video: video, audio: audio)
    defer { bench.finish() }
    bench.driver.attach(second, asset: bench.asset("b"), configuration: .init())
    bench.driver.setCurrent(first, upcoming: [second])
    #expect(bench.wait { $0 == "ready 2" })
    var configuration = ItemConfiguration()
    configuration.forwardEndTime = time(4_846)
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    // Its own end gets known after the join that the end time made.
    bench.driver.reconfigure(first, configuration)
    #expect(bench.wait { $0 == "advanced 1 2" })
    let start = bench.time(second).seconds
    bench.advance(1)
    #expect(abs(bench.time(second).seconds - start - 1) < 0.01)
  }

  @Test("Started behind its end time, an item gives way at once, and the next begins at its start", arguments: kinds)
  func startedBehindTheEndTime(video: Bool, audio: Bool) {
    let bench = bench(video: video, audio: audio)
    defer { bench.finish() }
    bench.driver.attach(second, asset: bench.asset("b"), configuration: .init())
    bench.driver.setCurrent(first, upcoming: [second])
    #expect(bench.wait { $0 == "ready 2" })
    var configuration = ItemConfiguration()
    configuration.forwardEndTime = time(1_000)
    bench.driver.reconfigure(first, configuration)
    bench.seek(to: time(3_000))
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "advanced 1 2" || $0 == "end 1" })
    #expect(bench.time(second).seconds < 0.1)
  }

  @Test("The next item taken away behind a join: the first one still ends, where it ends", arguments: kinds)
  func nextRemoved(video: Bool, audio: Bool) {
    let bench = joined(video: video, audio: audio)
    defer { bench.finish() }
    bench.driver.setCurrent(first, upcoming: [])
    bench.driver.detach(second)
    #expect(bench.wait(limit: .seconds(2 as Int64)) { $0 == "end 1" })
    #expect(abs(bench.time().seconds - 5) < 0.03)
    #expect(!bench.lines.contains { $0.hasPrefix("advanced") })
  }

  @Test("The next item sought behind a join begins where it was sought to", arguments: kinds)
  func nextSought(video: Bool, audio: Bool) {
    let bench = joined(video: video, audio: audio)
    defer { bench.finish() }
    bench.seek(second, to: time(2_000))
    #expect(bench.wait(limit: .seconds(2 as Int64)) { $0 == "advanced 1 2" || $0 == "end 1" })
    if !bench.lines.contains("advanced 1 2") {
      // Too late for a join: the state machine starts it.
      bench.driver.setCurrent(second, upcoming: [])
      bench.driver.run(rate: 1, from: nil, at: nil)
      bench.wait { $0 == "started 2 1.0" }
    }
    let begin = bench.time(second).seconds
    #expect(abs(begin - 2) < 0.05)
    bench.advance(1)
    #expect(abs(bench.time(second).seconds - begin - 1) < 0.001)
  }

  @Test("A pause behind a join: the next item rests at its start until it is its turn", arguments: kinds)
  func pauseBehindJoin(video: Bool, audio: Bool) {
    let bench = joined(video: video, audio: audio)
    defer { bench.finish() }
    bench.driver.halt()
    bench.advance(10)
    #expect(bench.time(second) == .zero)
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "advanced 1 2" })
    #expect(bench.time(second).seconds < 0.05)
    bench.advance(1)
    #expect(abs(bench.time(second).seconds - 1) < 0.05)
  }

  @Test("A rate changed behind a join is the next item's too", arguments: kinds)
  func rateBehindJoin(video: Bool, audio: Bool) throws {
    let bench = joined(video: video, audio: audio)
    defer { bench.finish() }
    bench.driver.run(rate: 2, from: nil, at: nil)
    #expect(bench.wait { $0 == "advanced 1 2" })
    let begin = bench.time(second).seconds
    bench.advance(1)
    #expect(abs(bench.time(second).seconds - begin - 2) < 0.001)
    guard audio else { return }
    // It is heard.
    let heard = try #require(bench.devices.sinks.first).played.suffix(40_000)
    #expect(heard.contains { $0 != 0 })
  }
}
