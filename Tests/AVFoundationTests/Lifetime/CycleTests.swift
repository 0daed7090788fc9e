import AVFoundation
import FFmpegBackend
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Creating, playing and dropping leaves nothing behind, whatever the player was at: on the real engine, in a process of
/// its own. Nothing is polled: each phase is awaited by what the player tells, the end by what the engine tells.
@Suite struct CycleTests {
  @Test("500 players, dropped in every phase, leave memory, threads and descriptors as they were")
  func droppedPlayersLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) {
      setenv("SPROCKET_AUDIO", "null", 1)
      let cycles = try Cycles()
      // Pools, caches and lazily loaded libraries come to their size first.
      for _ in 0..<4 { try await cycles.all() }
      await cycles.settle()
      let before = Usage.now
      for _ in 0..<50 { try await cycles.all() }
      await cycles.settle()
      let after = Usage.now
      #expect(LiveObject.alive.isEmpty, "\(LiveObject.alive)")
      #expect(ItemDirectory.count == 0)
      #expect(after.descriptors == before.descriptors, "\(before) → \(after)")
      #expect(after.threads == before.threads, "\(before) → \(after)")
      // 500 bytes a cycle: a player, an item or an asset left behind is more.
      #expect(after.bytes - before.bytes < 250_000, "\(before) → \(after)")
    }
  }
}

private struct Cycles {
  /// The phases in which a player is dropped.
  enum Phase: CaseIterable {
    case madeOnly, loading, loadingStalled, ready, waiting, seeking, playing, stalled, ended, observed
  }

  let long: URL
  let short: URL
  private let stalling: StallingSources

  init() throws {
    long = try Fixture.url("plain.mp4")
    short = try Fixture.url("half-second.mp4")
    stalling = StallingSources(try Data(contentsOf: Fixture.url("base.mp4")))
  }

  func all() async throws {
    for phase in Phase.allCases {
      switch phase {
      case .loadingStalled, .stalled:
        var environment = EngineEnvironment.forNewObjects
        environment.sources = stalling.opener(atOpening: phase == .loadingStalled)
        await EngineEnvironment.$override.withValue(environment) { await one(phase) }
      default: await one(phase)
      }
    }
  }

  private func one(_ phase: Phase) async {
    let item = AVPlayerItem(url: phase == .ended ? short : long)
    let player = AVPlayer()
    player.isMuted = true
    if phase == .madeOnly { return }
    player.replaceCurrentItem(with: item)
    switch phase {
    case .madeOnly, .loading: break
    case .loadingStalled:
      player.play()
      await player.until(\.reasonForWaitingToPlay) { $0 == .toMinimizeStalls }
    case .ready: await item.until(\.status) { $0 == .readyToPlay }
    case .waiting: player.play()
    case .seeking:
      await item.until(\.status) { $0 == .readyToPlay }
      player.seek(to: CMTime(value: 7, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero) { _ in }
    case .playing:
      player.play()
      await player.until(\.timeControlStatus) { $0 == .playing }
    case .stalled:
      // A read is blocked, and stays so: dropped while it waits for bytes that never come.
      player.rate = 2
      await item.until(\.status) { $0 == .readyToPlay }
    case .ended:
      let end = NotificationCenter.default.notifications(named: .AVPlayerItemDidPlayToEndTime, object: item)
      player.play()
      await item.until(\.status) { $0 == .readyToPlay }
      player.seek(to: CMTime(value: 45, timescale: 100), toleranceBefore: .zero, toleranceAfter: .zero) { _ in }
      for await _ in end { break }
    case .observed:
      _ = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 10), queue: nil) { _ in }
      player.play()
      await player.until(\.timeControlStatus) { $0 == .playing }
    }
  }

  /// Until all that is being closed is freed and all leased threads have ended.
  func settle() async {
    await withCheckedContinuation { continuation in
      LiveObject.whenNoneIsAlive { continuation.resume() }
    }
    RealScheduler.shared.endLeasedThreads()
    // What the main queue still holds goes before.
    await MainActor.run {}
  }
}

extension NSObjectProtocol where Self: NSObject {
  /// Until the property has such a value, as observers are told.
  nonisolated fileprivate func until<Value: Sendable>(
    _ keyPath: KeyPath<Self, Value>, _ holds: (Value) -> Bool
  ) async {
    for await value in values(for: keyPath) where holds(value) { return }
  }
}

/// Opens one clip whose bytes stop for ever: at once, or in the middle.
private final class StallingSources: Sendable {
  private let data: Data

  init(_ data: Data) { self.data = data }

  func opener(atOpening: Bool) -> any SourceOpener { Opener(data: data, atOpening: atOpening) }

  private final class Opener: SourceOpener {
    let data: Data
    let atOpening: Bool

    init(data: Data, atOpening: Bool) {
      self.data = data
      self.atOpening = atOpening
    }

    func source(for url: URL, options: SourceOptions, scheduler: any Scheduler) throws(MediaError) -> any ByteSource {
      var script = ScriptedByteSource.Script()
      script.mayBlock = true
      script.stallsAtOpening = atOpening
      if !atOpening { script.happenings[Int64(data.count) * 3 / 10] = .stall }
      return ScriptedByteSource(url.absoluteString, data: data, script: script, scheduler: scheduler)
    }
  }
}

private struct Usage: CustomStringConvertible {
  let descriptors: Int
  /// Threads by name; those of the pools, which come as they are needed and stay, are left out.
  let threads: [String: Int]
  let bytes: Int

  static var now: Usage {
    let files = FileManager.default
    let own = name(of: "\(getpid())")
    var threads: [String: Int] = [:]
    for task in (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
      let name = name(of: task)
      // Dispatch's workers have the program's name or that of their queue.
      if name.hasPrefix("sprocket.pool") || name == own || name.contains("-qos") { continue }
      threads[name, default: 0] += 1
    }
    return Usage(
      descriptors: (try? files.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0, threads: threads,
      bytes: allocatedBytes)
  }

  private static func name(of task: String) -> String {
    (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) ?? ""
  }

  var description: String { "\(descriptors) descriptors, \(threads) threads, \(bytes) bytes" }
}
