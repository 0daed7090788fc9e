import CoreMedia
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// What passes each stage when a clip is played, against dumps that were read: packets, frames shown, sound, events.
///
/// `RECORD_DUMPS=1` writes them anew; a recording is a failure until it was read.
@Suite struct GoldenStageTests {
  /// The film is committed and the wave has one form: their bytes are dumped. Another clip is made by this machine's
  /// encoder: of it the times alone.
  @Test(
    "Every stage of a clip's first second, a seek and its end is as recorded",
    arguments: [
      "sprocket.mp4", "tone.wav", "no-cues.mkv",
    ])
  func stages(clip: String) throws {
    let bench = DriverBench.files()
    defer { bench.finish() }
    let url = clip == "sprocket.mp4" ? try Fixture.film() : try Fixture.url(clip)
    var lines = try packets(of: url, bench).map { StageDump.line($0) }
    let output = VideoFrameOutput()
    let shown = Lock<[String]>([])
    output.setHandlers(onFrameDue: { frame in shown.withLock { $0.append(StageDump.line(frame)) } })
    bench.load(file: url, output: output)
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(1)
    bench.seek(to: CMTime(value: 2_100, timescale: 1_000))
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.wait { $0 == "end 1" }
    lines += shown.withLock { $0 }
    let sink = try #require(bench.devices.sinks.first)
    // Lossy decoders round by the processor they run on: their sound is dumped by its peaks.
    lines += StageDump.sound(sink.played, format: sink.format).map { clip == "tone.wav" ? $0 : Self.cut($0, 1) }
    lines += bench.entries.map { StageDump.line($0) }
    try GoldenDump.check(clip == "no-cues.mkv" ? lines.map(Self.timesOnly) : lines, clip)
  }

  private static func cut(_ line: String, _ words: Int) -> String {
    line.split(separator: " ").dropLast(words).joined(separator: " ")
  }

  private static func timesOnly(_ line: String) -> String {
    if line.hasPrefix("frame ") { return cut(line, 1) }
    guard line.hasPrefix("packet ") else { return line }
    return line.split(separator: " ").filter { !$0.hasPrefix("size=") }.joined(separator: " ")
  }

  private func packets(of url: URL, _ bench: DriverBench) throws -> [MediaPacket] {
    let source = try bench.environment.sources.source(for: url, options: .init(), scheduler: bench.scheduler)
    try source.open(.first)
    let demuxer = bench.environment.backend.demuxer(source, hints: .init(pathExtension: url.pathExtension))
    defer {
      demuxer.close()
      source.close()
    }
    _ = try demuxer.open(.first)
    var packets: [MediaPacket] = []
    while packets.count < 60, case .packet(let packet) = try demuxer.read(.first) { packets.append(packet) }
    return packets
  }
}
