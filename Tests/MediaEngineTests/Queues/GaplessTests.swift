import CoreMedia
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Items of a queue one after the other: what the device gets is their own sound, and nothing between.
@Suite struct GaplessTests {
  private static let codecs = [
    "tone.wav", "tone.flac", "tone-alac.m4a", "tone.m4a", "tone.mp3", "tone.opus", "tone.ogg", "tone.aiff", "tone.wv",
  ]

  /// - Parameter format: the device's; nil takes the first item's.
  private func bench(_ names: [String], _ format: AudioDeviceFormat?) throws -> (DriverBench, CapturingAudioSink) {
    let bench = DriverBench.files(devices: CapturingAudioSinks(format: format))
    let items = names.indices.map { ItemID(UInt64($0 + 1)) }
    for (item, name) in zip(items, names) {
      let asset = AssetCore(url: try Fixture.url(name), options: SourceOptions(), environment: bench.environment)
      bench.driver.attach(item, asset: asset, configuration: ItemConfiguration())
    }
    bench.driver.setCurrent(items[0], upcoming: Array(items.dropFirst()))
    for item in items { #expect(bench.wait { $0 == "ready \(item.number)" }) }
    bench.driver.run(rate: 1, from: nil, at: nil)
    #expect(bench.wait { $0 == "end \(names.count)" })
    return (bench, try #require(bench.devices.sinks.first))
  }

  /// What a queue plays, from its start to its end; all channels.
  private func played(_ names: [String], on format: AudioDeviceFormat? = nil) throws -> [Float] {
    let (bench, sink) = try bench(names, format)
    defer { bench.finish() }
    let advances = bench.lines.filter { $0.hasPrefix("advanced") }
    #expect(advances.count == names.count - 1)
    #expect(!bench.lines.contains { $0.hasPrefix("stalled") })
    #expect(sink.latePlaces.isEmpty)
    bench.advance(0.2)
    let played = sink.played
    let first = played.firstIndex { $0 != 0 } ?? 0
    let last = played.lastIndex { $0 != 0 } ?? 0
    return Array(played[first...last])
  }

  @Test(arguments: codecs)
  func threeItemsSoundAsEachOfThemDoesAlone_sampleBySample(name: String) throws {
    let alone = try played([name])
    let queue = try played([name, name, name])
    // Silent samples at an item's edges are cut off the capture, not out of the queue.
    let media = try decodeEverything(try Fixture.url(name), hashing: false)
    let count = Int(try #require(media.sampleCounts.values.first)) * 2
    #expect(alone.count <= count && alone.count > count - 4_000)
    #expect(queue.count == 2 * count + alone.count)
    for start in [0, count, 2 * count] where start + alone.count <= queue.count {
      let differing = zip(queue[start..<start + alone.count], alone).filter { $0 != $1 }.count
      #expect(differing == 0)
    }
  }

  /// Each is a tone of 440 Hz; one is a film's.
  @Test("Another rate, codec or number of channels, and a film, follow without a gap, a click or a stall")
  func formatChanges() throws {
    let names = ["tone.wav", "tone.opus", "tone-mono.flac", "tone.m4a", "half-second.mp4", "tone.mp3"]
    let lengths = try names.map { name -> Double in
      let media = try decodeEverything(try Fixture.url(name), hashing: false)
      let track = try #require(media.description.tracks.first { $0.kind == .audio })
      return Double(try #require(media.sampleCounts[track.index])) / Double(track.audio?.sampleRate ?? 1)
    }
    let queue = try played(names, on: .stereo48)
    let expected = lengths.reduce(0, +) * 48_000
    #expect(abs(Double(queue.count / 2) - expected) < 100)
    let left = stride(from: 0, to: queue.count, by: 2).map { queue[$0] }
    let sounding = left.indices.filter { abs(left[$0]) > 0.001 }
    let gaps = zip(sounding, sounding.dropFirst()).map { $1 - $0 }
    #expect((gaps.max() ?? 0) < 480)
    let steepest = 2 * Float.pi * 440 / 48_000 * (left.map { abs($0) }.max() ?? 0)
    // Lossy codecs and the resampler bend an item's last samples a little (1.5 times, measured).
    #expect(zip(left, left.dropFirst()).allSatisfy { abs($0 - $1) < 2 * steepest })
  }
}
