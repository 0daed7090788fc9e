import AVFoundation
import MediaEngine
import MediaTestSupport
import Testing

/// Creating, playing and dropping leaves nothing behind, whatever the player was at. Each run has its own process.
@Suite struct CycleTests {
  @Test func droppedPlayersLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) {
      setenv("SPROCKET_AUDIO", "null", 1)
      let isSoak = ProcessInfo.processInfo.environment["SPROCKET_SOAK"] == "1"
      let url = try Fixture.url("plain.mp4")
      let short = try Fixture.url("half-second.mp4")
      // Pools, caches and lazily loaded libraries come to their size first.
      for _ in 0..<2 { try await Cycles.all(url, short) }
      await Cycles.settle()
      let before = Usage.now
      for _ in 0..<(isSoak ? 63 : 3) { try await Cycles.all(url, short) }
      await Cycles.settle()
      let after = Usage.now
      #expect(LiveObject.alive.isEmpty, "\(LiveObject.alive)")
      #expect(after.descriptors <= before.descriptors)
      #expect(after.threads <= before.threads)
      #expect(after.kilobytes - before.kilobytes < 20_000, "\(before) → \(after)")
    }
  }
}

enum Cycles {
  /// The phases in which a player is dropped.
  enum Phase: CaseIterable {
    case madeOnly, loading, ready, waiting, seeking, playing, ended, observed
  }

  static func all(_ url: URL, _ short: URL) async throws {
    for phase in Phase.allCases { try await one(phase, phase == .ended ? short : url) }
  }

  private static func one(_ phase: Phase, _ url: URL) async throws {
    let item = AVPlayerItem(url: url)
    let player = AVPlayer()
    player.isMuted = true
    if phase == .madeOnly { return }
    player.replaceCurrentItem(with: item)
    switch phase {
    case .madeOnly, .loading: return
    case .waiting: player.play()
    case .ready: await until { item.status == .readyToPlay }
    case .seeking:
      await until { item.status == .readyToPlay }
      player.seek(to: CMTime(value: 7, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero) { _ in }
    case .playing:
      player.play()
      await until { player.timeControlStatus == .playing }
    case .ended:
      player.play()
      await until { player.currentTime() >= item.duration && player.rate == 0 }
    case .observed:
      _ = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 10), queue: nil) { _ in }
      player.play()
      await until { player.timeControlStatus == .playing }
    }
  }

  /// Waits until what is being closed is closed, and idle threads have gone.
  static func settle() async {
    await until { LiveObject.alive.isEmpty }
    try? await Task.sleep(nanoseconds: 1_500 * NSEC_PER_MSEC)
  }

  private static func until(_ condition: () -> Bool) async {
    for _ in 0..<4_000 where !condition() { try? await Task.sleep(nanoseconds: 5 * NSEC_PER_MSEC) }
  }
}

private struct Usage: CustomStringConvertible {
  let descriptors: Int
  let threads: Int
  let kilobytes: Int

  static var now: Usage {
    let files = FileManager.default
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return Usage(
      descriptors: (try? files.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0,
      threads: (try? files.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0,
      kilobytes: resident.flatMap { line in Int(line.filter(\.isNumber)) } ?? 0)
  }

  var description: String { "\(descriptors) descriptors, \(threads) threads, \(kilobytes) kB" }
}
