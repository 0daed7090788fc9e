import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// After a seek in a film the samples are those of a decode from the beginning: the decoder gets its preroll.
@Suite struct SoundAfterSeekTests {
  /// Targets in milliseconds: in the middle of a group, right at a key frame, behind one by less than the preroll.
  private static let targets: [Int64] = [3_333, 4_000, 6_020, 6_180, 9_990, 2_000, 8_041]

  @Test(
    "Sound after a seek equals that of a decode from the beginning, bit by bit",
    arguments: [
      "noise-aac.mp4", "noise-44k.mp4", "noise-mp3.mp4",
    ])
  func soundAfterSeekIsTheSame(clip: String) throws {
    for entry in try compare(clip, tolerantly: false) {
      #expect(entry.different == 0, "\(clip) at \(entry.target) ms: \(entry)")
    }
  }

  @Test("Sound from a key frame on, where a seek with room ends, is that of a decode from the beginning")
  func soundAfterTolerantSeekIsTheSame() throws {
    for entry in try compare("noise-aac.mp4", tolerantly: true) {
      #expect(entry.different == 0, "at \(entry.target) ms: \(entry)")
    }
  }

  @Test("Opus has converged when its sound is heard")
  func opusHasConverged() throws {
    for entry in try compare("noise-opus.mp4", tolerantly: false) {
      #expect(entry.greatest < 0.000_1, "at \(entry.target) ms: \(entry)")
    }
  }

  private struct Entry: CustomStringConvertible {
    var target: Int64
    var different = 0
    var first = -1
    var greatest: Float = 0
    var description: String { "\(different) samples differ, the first is \(first), by \(greatest) at most" }
  }

  private func compare(_ clip: String, tolerantly: Bool) throws -> [Entry] {
    let url = try Fixture.url(clip)
    let whole = try played(url)
    let bench = DriverBench.files()
    defer { bench.finish() }
    bench.load(file: url, output: VideoFrameOutput())
    return try Self.targets.map { target in
      let room: CMTime = tolerantly ? .positiveInfinity : .zero
      bench.seek(to: CMTime(value: target, timescale: 1_000), before: room, after: room)
      bench.driver.run(rate: 1, from: nil, at: nil)
      bench.advance(0.6)
      let sink = try #require(bench.devices.sinks.first)
      let time = bench.time()
      let zero = Int(sink.position().frame) - Int((time.seconds * 48_000).rounded())
      let start = tolerantly ? time.seconds - 0.6 : Double(target) / 1_000
      let heard = sink.played
      var entry = Entry(target: target)
      // The first 10 ms fade in.
      let from = Int((start * 48_000).rounded()) + 480
      for sample in (from * 2)..<((from + 16_800) * 2) {
        let difference = abs(heard[zero * 2 + sample] - whole[sample])
        guard difference != 0 else { continue }
        if entry.different == 0 { entry.first = sample / 2 - from }
        entry.different += 1
        entry.greatest = max(entry.greatest, difference)
      }
      bench.driver.halt()
      bench.advance(0.1)
      return entry
    }
  }

  /// All sound from the beginning on.
  private func played(_ url: URL) throws -> [Float] {
    let bench = DriverBench.files()
    defer { bench.finish() }
    bench.load(file: url)
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.wait { $0 == "end 1" }
    let sink = try #require(bench.devices.sinks.first)
    return sink.played
  }
}
