import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport

/// What playing costs in memory, by the kernel's own count of this process.
enum MemoryRun {
  /// Plays a file from beginning to end; prints frames shown, stalls, and the most memory that was resident.
  static func play(_ file: URL) throws {
    let sinks = CapturingAudioSinks()
    let runner = PlayerRunner.files(sinks: sinks)
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem(file: file)
    let output = VideoFrameOutput()
    let shown = Lock(0)
    output.setHandlers(onFrameDue: { _ in shown.withLock { $0 += 1 } })
    item.addOutput(output)
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player, limit: .seconds(600 as Int64)).until(.ended)
    let stalls = runner.recorder(player).plainLines.filter { $0.contains("playbackStalled") }.count
    let loud = sinks.sinks.first.map { sink in sink.played.filter { abs($0) > 0.01 }.count / sink.format.channelCount }
    print("frames", shown.withLock { $0 }, "stalls", stalls, "loud", loud ?? 0, "peak", kilobytes("VmHWM:"))
    player.close()
  }

  /// Plays a file backward from its end; prints frames shown, and the most memory that was resident.
  static func playBackward(_ file: URL, rate: Float) throws {
    let runner = PlayerRunner.files()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem(file: file)
    let output = VideoFrameOutput()
    let shown = Lock(0)
    item.addOutput(output)
    player.replaceCurrentItem(item)
    try runner.advance(player).until(.ready)
    let landed = Lock(false)
    player.seek(to: item.snapshot.duration, toleranceBefore: .zero, toleranceAfter: .zero) { _ in
      landed.withLock { $0 = true }
    }
    try runner.advance(player).until(PlayerCondition("landed") { _, _ in landed.withLock { $0 } })
    output.setHandlers(onFrameDue: { _ in shown.withLock { $0 += 1 } })
    player.setRate(rate)
    try runner.advance(player, limit: .seconds(600 as Int64)).until(.paused)
    print("frames", shown.withLock { $0 }, "peak", kilobytes("VmHWM:"))
    player.close()
  }

  /// Opens, plays and closes a file again and again; prints resident memory after a tenth of the cycles and after all.
  static func cycle(_ file: URL, count: Int) throws {
    for number in 1...max(count, 10) {
      let runner = PlayerRunner.files()
      let player = runner.makePlayer()
      player.replaceCurrentItem(runner.makeItem(file: file))
      player.play()
      try runner.advance(player).until(.position(0.3))
      player.close()
      try runner.pass(.milliseconds(100))
      runner.shutdown()
      if number == count / 10 || number == count { print("resident", kilobytes("VmRSS:")) }
    }
    print("alive", LiveObject.alive.values.reduce(0, +))
  }

  private static func kilobytes(_ field: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? -1
  }
}
