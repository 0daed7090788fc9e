import CoreMedia
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Fragments that are visited in any order keep the times of their samples.
@Suite struct FragmentSeekTests {
  private struct Sample: Hashable {
    var shown: Int64?
    var size: Int
  }

  private func open(_ url: URL) throws -> any Demuxer {
    let source = FileSource(path: url.path)
    try source.open(.first)
    let demuxer = FFmpegMediaBackend().demuxer(source, hints: SourceHints(pathExtension: url.pathExtension))
    _ = try demuxer.open(.first)
    return demuxer
  }

  /// Pictures by decode time, as many as wanted.
  private func samples(_ demuxer: any Demuxer, _ most: Int = .max) throws -> [Int64: Sample] {
    var samples: [Int64: Sample] = [:]
    while samples.count < most {
      switch try demuxer.read(.first) {
      case .packet(let packet):
        if packet.track == 0, let time = packet.decodeTime {
          samples[time] = Sample(shown: packet.presentationTime, size: packet.size)
        }
      case .description: continue
      case .end: return samples
      }
    }
    return samples
  }

  @Test(
    "After seeks in any order, samples have the times of a straight reading",
    arguments: ["fragmented.mp4", "frag-mfra.mp4", "frag-sidx.mp4"])
  func samplesKeepTheirTimes(name: String) throws {
    let url = try Fixture.url(name)
    let straight = try open(url)
    defer { straight.close() }
    let truth = try samples(straight)
    #expect(truth.count == 300)
    // Two back and one ahead at first, then every order that comes.
    var orders = [[7.31, 2.01, 9.99], [9.99, 7.31, 2.01, 9.99], [9.99, 0.5, 5.1, 9.99]]
    var random = SeededNumbers(31)
    for _ in 0..<6 { orders.append((0..<5).map { _ in Double(Int.random(in: 100..<9_990, using: &random)) / 1_000 }) }
    for order in orders {
      let demuxer = try open(url)
      defer { demuxer.close() }
      for (number, time) in order.enumerated() {
        try demuxer.seek(to: CMTime(seconds: time, preferredTimescale: 1_000), .first)
        let read = try samples(demuxer, number == order.count - 1 ? .max : 4)
        #expect(!read.isEmpty)
        let wrong = read.filter { truth[$0.key] != $0.value }
        #expect(wrong.isEmpty, "\(order) at \(time)")
      }
    }
  }
}
