import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport

/// The whole engine over real files on virtual time: what it did, told and gave, as one line per container.
enum EngineRun {
  static let clips = ["base.mp4", "no-cues.mkv", "no-index.ts", "vp9-hidden.webm", "fragmented.mp4", "tone.mp3"]

  /// Starts, seeks while playing, supersedes, changes rate, steps, plays to the end.
  static func printTrace(of name: String, keepsLines: Bool) throws {
    var options = VirtualScheduler.Options()
    options.ownsMain = false
    options.keepsTrace = keepsLines
    let sinks = CapturingAudioSinks()
    let runner = PlayerRunner.files(sinks: sinks, options: options)
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem(file: try Fixture.url(name))
    let output = VideoFrameOutput()
    let pictures = Lock(Digest())
    output.setHandlers(onFrameDue: { frame in
      let line = StageDump.line(frame)
      pictures.withLock { $0.add(line) }
    })
    item.addOutput(output)
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.position(0.8))
    player.seek(to: time(5_033), toleranceBefore: .zero, toleranceAfter: .zero)
    try runner.pass(.milliseconds(300))
    for target in [2_000, 7_010, 3_333] { player.seek(to: time(target), toleranceBefore: .zero, toleranceAfter: .zero) }
    try runner.pass(.milliseconds(20))
    player.seek(to: time(6_500), toleranceBefore: .zero, toleranceAfter: .zero)
    try runner.pass(.milliseconds(300))
    player.setRate(2)
    try runner.pass(.milliseconds(300))
    player.pause()
    item.step(byCount: -2)
    try runner.pass(.milliseconds(100))
    let end = item.snapshot.duration
    player.seek(to: end - time(400), toleranceBefore: .zero, toleranceAfter: .zero)
    player.play()
    try runner.advance(player).until(.ended)
    var told = Digest()
    for line in runner.recorder(player).lines { told.add(line) }
    var heard = Digest()
    for sink in sinks.sinks {
      for line in StageDump.sound(sink.played, format: sink.format) { heard.add(line) }
    }
    for line in runner.scheduler.traceLines { print(line) }
    print(
      name, String(runner.scheduler.traceHash, radix: 16), runner.scheduler.steps, "told", told, "shown",
      pictures.withLock { $0 }, "heard", heard)
    player.close()
  }

  private static func time(_ milliseconds: Int) -> CMTime { CMTime(value: Int64(milliseconds), timescale: 1_000) }
}

/// FNV-1a over lines: the same in every process.
private struct Digest: CustomStringConvertible {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  private var count = 0

  mutating func add(_ line: String) {
    for byte in line.utf8 + [10] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    count += 1
  }

  var description: String { "\(count)/\(String(hash, radix: 16))" }
}
