import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// What an app does to a track's sound, by the samples that the device gets.
@Suite struct SoundMixTests {
  private static let rate = 48_000

  private func at(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1_000) }

  private func tone() -> ScriptedMedia {
    var audio = ScriptedMedia.Audio()
    audio.seconds = 10
    return .make(video: nil, audio: audio)
  }

  /// A bench with ten seconds of the fakes' tone, not begun yet.
  private func bench(_ change: (inout TrackMix) -> Void = { _ in }) throws -> (DriverBench, Int32) {
    let bench = DriverBench()
    bench.backend.add(tone())
    let track = try #require(tone().tracks.first { $0.kind == .audio }).id
    bench.load(configuration: configuration(track, change))
    return (bench, track)
  }

  private func configuration(_ track: Int32, _ change: (inout TrackMix) -> Void) -> ItemConfiguration {
    var mix = TrackMix()
    change(&mix)
    var configuration = ItemConfiguration()
    configuration.mix = [track: mix]
    return configuration
  }

  private func left(_ bench: DriverBench) throws -> [Float] {
    let played = try #require(bench.devices.sinks.first).played
    return stride(from: 0, to: played.count, by: 2).map { played[$0] }
  }

  /// The device's frame at which the item's sample 0 sounds, from what sounds now.
  private func origin(_ bench: DriverBench) throws -> Int {
    let position = try #require(bench.devices.sinks.first).position()
    return Int(position.frame) - Int((bench.time().seconds * Double(Self.rate)).rounded())
  }

  @Test("A volume curve acts on the item's time, sample by sample; the track's pieces fit together")
  func volumeOverTime() throws {
    var curve = VolumeCurve()
    curve.set(0.25, at: at(0.5))
    curve.add(VolumeCurve.Ramp(start: at(1), end: at(3), startVolume: 1, endVolume: 0))
    curve.set(2, at: at(3.5))
    let (bench, _) = try bench { $0.volume = curve }
    defer { bench.finish() }
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(5)
    let (played, origin) = (try left(bench), try origin(bench))
    let range = 4_800..<4 * Self.rate
    let off = range.filter { sample in
      let expected =
        FakeTone.value(Int64(sample), rate: Self.rate) * curve.volume(at: Double(sample) / Double(Self.rate))
      return abs(played[origin + sample] - expected) > 1e-5
    }
    #expect(off.isEmpty, "\(off.count) samples, the first is \(off.first ?? -1)")
  }

  @Test("A curve changed while it plays is heard within 50 ms, without a click", arguments: [1, 1.5] as [Float])
  func changedWhilePlaying(rate: Float) throws {
    let (bench, track) = try bench()
    defer { bench.finish() }
    bench.driver.run(rate: rate, from: nil, at: nil)
    bench.advance(2)
    let sink = try #require(bench.devices.sinks.first)
    let change = Int(sink.position().frame)
    bench.driver.reconfigure(ItemID(1), configuration(track) { $0.volume.set(0.125, at: .zero) })
    bench.advance(1)
    let played = try left(bench)
    let before = played[change - 9_600..<change].map { abs($0) }.max() ?? 0
    let after = played[change + 2_400..<change + 24_000].map { abs($0) }.max() ?? 0
    #expect(abs(before - 0.5) < 0.02)
    #expect(abs(after - 0.0625) < 0.005)
    let steepest = zip(played[change - 9_600..<change], played[change - 9_599..<change]).map { abs($0 - $1) }.max() ?? 0
    let around = played[change..<change + 4_800]
    #expect((zip(around, around.dropFirst()).map { abs($0 - $1) }.max() ?? 1) < 1.3 * steepest)
    #expect(sink.latePlaces.isEmpty)
  }

  /// Turns sound around, and keeps what it was called with.
  private final class Recorder: SoundTap {
    let pieces = Lock<[(start: Int64, count: Int64, isDiscontinuous: Bool)]>([])
    let calls = Lock<[String]>([])

    func prepare(_ format: AudioDeviceFormat) { calls.withLock { $0.append("prepare \(format.sampleRate)") } }
    func process(_ piece: inout TappedSound) {
      let count = Int64(piece.samples.count / piece.format.channelCount)
      let entry = (start: piece.start, count: count, isDiscontinuous: piece.isDiscontinuous)
      pieces.withLock { $0.append(entry) }
      for index in piece.samples.indices { piece.samples[index] *= -1 }
    }
    func unprepare() { calls.withLock { $0.append("unprepare") } }
  }

  @Test("A tap gets every sample once and in order; what it makes of them is heard; a seek is told")
  func tapped() throws {
    let tap = Recorder()
    let (bench, _) = try bench { $0.tap = tap }
    defer { bench.finish() }
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(2)
    let (played, origin) = (try left(bench), try origin(bench))
    #expect((4_800..<Self.rate).allSatisfy { played[origin + $0] == -FakeTone.value(Int64($0), rate: Self.rate) })
    bench.seek(to: at(7))
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    let pieces = tap.pieces.withLock { $0 }
    let starts = pieces.indices.filter { pieces[$0].isDiscontinuous }
    #expect(starts.count == 2 && starts.first == 0)
    for (one, next) in zip(pieces, pieces.dropFirst()) where !next.isDiscontinuous {
      #expect(next.start == one.start + one.count)
    }
    let last = try #require(pieces.last)
    #expect(last.start + last.count == 10 * Int64(Self.rate))
    #expect(tap.calls.withLock { $0 } == ["prepare 48000"])
    bench.driver.detach(ItemID(1))
    bench.advance(0.1)
    #expect(tap.calls.withLock { $0 } == ["prepare 48000", "unprepare"])
  }

  @Test("A tap that is given, exchanged or taken away while it plays acts on what is queued, within 50 ms")
  func tapsChangedWhilePlaying() throws {
    let (bench, track) = try bench()
    defer { bench.finish() }
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    let sink = try #require(bench.devices.sinks.first)
    let (first, second) = (Recorder(), Recorder())
    var changes: [Int] = []
    for tap in [first, second, nil] {
      changes.append(Int(sink.position().frame))
      bench.driver.reconfigure(ItemID(1), configuration(track) { $0.tap = tap })
      bench.advance(1)
    }
    let (played, origin) = (try left(bench), try origin(bench))
    for (change, sign) in zip(changes, [-1, -1, 1] as [Float]) {
      let heard = change + 2_400..<change + 36_000
      let off = heard.filter { played[$0] != sign * FakeTone.value(Int64($0 - origin), rate: Self.rate) }
      #expect(off.isEmpty, "after frame \(change): \(off.count)")
    }
    #expect(first.calls.withLock { $0 } == ["prepare 48000", "unprepare"])
    #expect(second.calls.withLock { $0 } == ["prepare 48000", "unprepare"])
    #expect(sink.latePlaces.isEmpty)
  }

  @Test("A change of the mix leaves the joined next item as it is")
  func nextItemStays() throws {
    let bench = DriverBench()
    defer { bench.finish() }
    for name in ["a", "b"] {
      var audio = ScriptedMedia.Audio()
      audio.seconds = 3
      bench.backend.add(.make(video: nil, audio: audio), as: name)
      bench.driver.attach(ItemID(name == "a" ? 1 : 2), asset: bench.asset(name), configuration: ItemConfiguration())
    }
    let track = try #require(tone().tracks.first { $0.kind == .audio }).id
    bench.driver.setCurrent(ItemID(1), upcoming: [ItemID(2)])
    #expect(bench.wait { $0 == "ready 1" })
    #expect(bench.wait { $0 == "ready 2" })
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(2.7)
    bench.driver.reconfigure(ItemID(1), configuration(track) { $0.volume.set(0.5, at: .zero) })
    #expect(bench.wait { $0 == "end 2" })
    bench.advance(0.2)
    let played = try left(bench)
    let first = try #require(played.firstIndex { $0 != 0 })
    let join = first + 3 * Self.rate
    #expect((played[join - 4_800..<join].map { abs($0) }.max() ?? 0) < 0.26)
    #expect((played[join + 480..<join + 48_000].map { abs($0) }.max() ?? 0) > 0.49)
    #expect(!bench.lines.contains { $0.hasPrefix("stalled") })
  }
}
