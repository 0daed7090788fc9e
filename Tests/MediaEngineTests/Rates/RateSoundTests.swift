import CoreMedia
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Sound at other speeds (case P093): pitch, place, and what is heard where the speed changes.
@Suite struct RateSoundTests {
  private func left(_ bench: DriverBench) throws -> [Float] {
    let played = try #require(bench.devices.sinks.first).played
    return stride(from: 0, to: played.count, by: 2).map { played[$0] }
  }

  private func greatestStep(_ samples: some Collection<Float>) -> Float {
    zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
  }

  /// From where it crosses zero upwards.
  private func frequency(of samples: some Collection<Float>, rate: Double) -> Double {
    let samples = Array(samples)
    let crossings = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
    guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
    return Double(crossings.count - 1) * rate / Double(last - first)
  }

  private func configuration(_ pitch: PitchAlgorithm) -> ItemConfiguration {
    var configuration = ItemConfiguration()
    configuration.pitch = pitch
    return configuration
  }

  @Test(
    "P093: at other speeds the pitch is kept, and the end comes in its time",
    arguments: [0.25, 0.5, 0.95, 1.06, 1.5, 2, 3, 4] as [Float])
  func pitchIsKept_andTheEndComesInItsTime(rate: Float) throws {
    let bench = DriverBench.files()
    defer { bench.finish() }
    bench.load(file: try Fixture.url("tone.wav"))
    bench.driver.run(rate: rate, from: nil, at: nil)
    #expect(bench.wait { $0.hasPrefix("started 1") })
    let start = bench.scheduler.elapsed
    #expect(bench.wait { $0 == "end 1" })
    #expect(abs((bench.scheduler.elapsed - start).seconds - 5 / Double(rate)) < 0.01)
    let played = try left(bench)
    let sink = try #require(bench.devices.sinks.first)
    let sampleRate = Double(sink.format.sampleRate)
    let sounding = played.indices.filter { abs(played[$0]) > 0.01 }
    let (from, to) = (try #require(sounding.first), try #require(sounding.last))
    #expect(abs(Double(to - from) / sampleRate - 5 / Double(rate)) < 0.02)
    let pitch = frequency(of: played[from..<to], rate: sampleRate)
    #expect(abs(pitch - 440) < 4.4)
    #expect(sink.latePlaces.isEmpty)
  }

  @Test func withVarispeed_pitchFollows_andAChangeOfTheAlgorithmIsHeardAtOnce() throws {
    let bench = DriverBench.files()
    defer { bench.finish() }
    bench.load(file: try Fixture.url("tone.wav"))
    bench.driver.reconfigure(ItemID(1), configuration(.varispeed))
    bench.driver.run(rate: 2, from: nil, at: nil)
    bench.advance(1)
    let sink = try #require(bench.devices.sinks.first)
    let rate = sink.format.sampleRate
    let change = Int(sink.position().frame)
    bench.driver.reconfigure(ItemID(1), configuration(.timeDomain))
    bench.advance(1)
    let played = try left(bench)
    let high = frequency(of: played[change - rate / 2..<change], rate: Double(rate))
    let kept = frequency(of: played[change + rate / 20..<change + rate / 2], rate: Double(rate))
    #expect(abs(high - 880) < 9)
    #expect(abs(kept - 440) < 5)
    #expect(greatestStep(played) < 1.2 * greatestStep(played[change - rate / 2..<change]))
  }

  @Test("P093: changed every 200 ms, the speed is heard at once, without a click, and nothing drifts")
  func manyChanges() throws {
    let bench = DriverBench.files()
    defer { bench.finish() }
    bench.load(file: try Fixture.url("tone.wav"))
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0.hasPrefix("started 1") })
    var expected = 0.0
    for rate in [1.5, 1, 0.5, 2, 1.06, 3, 0.95, 1] as [Float] {
      bench.driver.run(rate: rate, from: nil, at: nil)
      bench.advance(0.2)
      expected += 0.2 * Double(rate)
    }
    // What was heard before a change takes effect belongs to the rate before it.
    #expect(abs(bench.time().seconds - expected) < 0.05)
    let played = try left(bench)
    let start = try #require(played.firstIndex { abs($0) > 0.01 })
    // A sine of 440 Hz and this amplitude has no steeper place.
    let amplitude = try #require(played.map { abs($0) }.max())
    let steepest = 2 * Float.pi * 440 / Float(try #require(bench.devices.sinks.first).format.sampleRate) * amplitude
    #expect(greatestStep(played[start...]) < 1.3 * steepest)
    #expect(try #require(bench.devices.sinks.first).latePlaces.isEmpty)
  }

  private func tone(seconds: Double = 30) -> ScriptedMedia {
    var audio = ScriptedMedia.Audio()
    audio.seconds = seconds
    return .make(video: nil, audio: audio)
  }

  @Test("What is heard is what the item's time says, sample by sample", arguments: [0.5, 1.5, 2, 4] as [Float])
  func soundLiesOnItsTime(rate: Float) throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(tone())
    bench.load()
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    let sink = try #require(bench.devices.sinks.first)
    let change = Int(sink.position().frame)
    bench.driver.run(rate: rate, from: nil, at: nil)
    bench.advance(1)
    let position = sink.position()
    let time = bench.time().seconds
    let played = try left(bench)
    let sounding = played.indices.dropFirst(change + 2_400 + 480).filter { $0 < Int(position.frame) }
    #expect(sounding.count > 40_000)
    let off = sounding.filter { frame in
      let sample = (time * 48_000 - Double(Int(position.frame) - frame) * Double(rate))
      let near = (-2...2).map { FakeTone.value(Int64(sample.rounded()) + $0, rate: 48_000) }
      return !near.contains { abs($0 - played[frame]) < 0.0001 }
    }
    #expect(off.isEmpty)
  }

  @Test("Where no stretcher reaches, pitch follows: nothing is made longer than its time")
  func farBeyondEverySpeed() throws {
    let bench = DriverBench.files()
    defer { bench.finish() }
    bench.load(file: try Fixture.url("tone.wav"))
    bench.driver.run(rate: 0.02, from: nil, at: nil)
    bench.advance(2)
    let sink = try #require(bench.devices.sinks.first)
    let played = try left(bench).suffix(sink.format.sampleRate)
    #expect(abs(frequency(of: played, rate: Double(sink.format.sampleRate)) - 8.8) < 0.2)
  }

  @Test("A stretcher that fails costs the sound, not the end")
  func failingStretcher() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    bench.backend.add(tone(seconds: 30))
    bench.backend.failStretching(with: MediaError(.outOfMemory, "There is no memory."))
    bench.load()
    bench.driver.run(rate: 2, from: nil, at: nil)
    #expect(bench.wait { $0.hasPrefix("started 1") })
    let start = bench.scheduler.elapsed
    #expect(bench.wait { $0 == "end 1" })
    #expect(abs((bench.scheduler.elapsed - start).seconds - 15) < 0.01)
    #expect(try left(bench).allSatisfy { $0 == 0 })
  }

  @Test func volumeAndPauseActAtAnotherSpeedToo() throws {
    let bench = DriverBench.files()
    defer { bench.finish() }
    bench.load(file: try Fixture.url("tone.wav"))
    bench.driver.run(rate: 2, from: nil, at: nil)
    bench.advance(0.7)
    let sink = try #require(bench.devices.sinks.first)
    let muted = Int(sink.position().frame)
    bench.driver.setGain(0)
    bench.advance(0.3)
    bench.driver.setGain(1)
    let loud = Int(sink.position().frame)
    bench.advance(0.3)
    bench.driver.halt()
    let rest = bench.time()
    bench.advance(0.5)
    #expect(bench.time() == rest)
    bench.driver.run(rate: 2, from: nil, at: nil)
    bench.advance(0.3)
    let rate = sink.format.sampleRate
    let played = try left(bench)
    #expect(played[muted + rate / 20..<loud].allSatisfy { $0 == 0 })
    #expect(played[loud + rate / 20..<loud + rate / 5].contains { abs($0) > 0.05 })
    #expect(abs(bench.time().seconds - rest.seconds - 0.6) < 0.1)
  }

  @Test("The next item follows at the same speed, where the first one ends")
  func joinAtAnotherSpeed() throws {
    let bench = DriverBench.files()
    defer { bench.finish() }
    let file = try Fixture.url("tone.wav")
    bench.load(file: file)
    let second = ItemID(2)
    let asset = AssetCore(url: file, options: SourceOptions(), environment: bench.environment)
    bench.driver.attach(second, asset: asset, configuration: ItemConfiguration())
    bench.driver.setCurrent(ItemID(1), upcoming: [second])
    #expect(bench.wait { $0 == "ready 2" })
    bench.driver.run(rate: 2, from: nil, at: nil)
    #expect(bench.wait { $0.hasPrefix("started 1") })
    let start = bench.scheduler.elapsed
    #expect(bench.wait { $0 == "end 2" })
    #expect(bench.lines.contains("advanced 1 2"))
    #expect(abs((bench.scheduler.elapsed - start).seconds - 5) < 0.01)
    let played = try left(bench)
    let rate = try #require(bench.devices.sinks.first).format.sampleRate
    let sounding = played.indices.filter { abs(played[$0]) > 0.01 }
    let gaps = zip(sounding, sounding.dropFirst()).map { $1 - $0 }
    // Between the crossings of a 440 Hz tone, and nowhere longer.
    #expect((gaps.max() ?? 0) < rate / 200)
  }
}
