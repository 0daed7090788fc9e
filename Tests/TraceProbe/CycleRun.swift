import AVFoundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport

/// Creates, plays and drops players, in every phase, on the real scheduler; prints what the process holds before, in
/// the middle and after.
///
/// The main thread serves the main queue, as in a program. Nothing is polled: each phase is awaited by what the player
/// tells, the end by what the engine tells.
@MainActor struct CycleRun {
  /// The phases in which a player is dropped.
  enum Phase: CaseIterable {
    case madeOnly, loading, loadingStalled, ready, waiting, seeking, playing, stalled, ended, observed
  }

  private let long: URL
  private let short: URL
  private let stalling: StallingSources

  private init() throws {
    long = try Fixture.url("plain.mp4")
    short = try Fixture.url("half-second.mp4")
    stalling = StallingSources(try Data(contentsOf: Fixture.url("base.mp4")))
  }

  /// - Parameter rounds: each drops one player in each phase.
  static func print(rounds: Int) async throws {
    let cycles = try CycleRun()
    await fillDispatchCaches()
    // Pools, caches and lazily loaded libraries come to their size first.
    for _ in 0..<4 { await cycles.all() }
    await cycles.settle()
    print("before", Usage.now)
    for when in ["between", "after"] {
      for _ in 0..<rounds / 2 { await cycles.all() }
      await cycles.settle()
      print(when, Usage.now)
    }
    Swift.print("alive", LiveObject.alive.values.reduce(0, +), "items", ItemDirectory.count)
  }

  private static func print(_ when: String, _ usage: Usage) { Swift.print(when, usage) }

  /// Dispatch keeps up to 1,024 of its records for each thread that serves a queue, 80 bytes each: the workers and the
  /// main thread get them all now, not one with every block that another thread sends.
  private static func fillDispatchCaches() async {
    await withTaskGroup { group in
      for _ in 0..<16_384 { group.addTask {} }
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        for _ in 0..<2_048 { DispatchQueue.main.async {} }
        DispatchQueue.main.async { continuation.resume() }
      }
    }
  }

  private func all() async {
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
      await item.until(\.status) { $0 == .readyToPlay }
      player.playImmediately(atRate: 2)
      await player.until(\.timeControlStatus) { $0 == .playing }
      await item.until(\.isPlaybackBufferEmpty) { $0 }
    case .ended:
      player.play()
      await item.until(\.status) { $0 == .readyToPlay }
      player.seek(to: CMTime(value: 45, timescale: 100), toleranceBefore: .zero, toleranceAfter: .zero) { _ in }
      await untilPosted(.AVPlayerItemDidPlayToEndTime, by: item)
    case .observed:
      _ = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 10), queue: nil) { _ in }
      player.play()
      await player.until(\.timeControlStatus) { $0 == .playing }
    }
  }

  private func untilPosted(_ name: Notification.Name, by item: AVPlayerItem) async {
    var token: (any NSObjectProtocol)?
    await withCheckedContinuation { continuation in
      let once = Once(continuation)
      token = NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { _ in once.resume() }
    }
    if let token { NotificationCenter.default.removeObserver(token) }
  }

  /// Until all that is being closed is freed and all leased threads have ended.
  private func settle() async {
    await withCheckedContinuation { continuation in
      LiveObject.whenNoneIsAlive { continuation.resume() }
    }
    RealScheduler.shared.endLeasedThreads()
    // What the main queue still holds goes before.
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }
}

// Everything waits on the main queue: no other thread takes part whose caches would grow first.
extension NSObjectProtocol where Self: NSObject {
  /// Until the property has such a value, as observers are told.
  @MainActor fileprivate func until<Value>(
    _ keyPath: any KeyPath<Self, Value> & Sendable, _ holds: @escaping @Sendable (Value) -> Bool
  ) async {
    var observation: NSKeyValueObservation?
    await withCheckedContinuation { continuation in
      let once = Once(continuation)
      observation = observe(keyPath, options: .initial) { object, _ in
        if holds(object[keyPath: keyPath]) { once.resume() }
      }
    }
    observation?.invalidate()
  }
}

private final class Once: Sendable {
  private let continuation: Lock<CheckedContinuation<Void, Never>?>

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Lock(continuation) }

  func resume() {
    let continuation = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    continuation?.resume()
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
      if !atOpening { script.happenings[Int64(data.count) / 10] = .stall }
      return ScriptedByteSource(url.absoluteString, data: data, script: script, scheduler: scheduler)
    }
  }
}

/// What the process holds.
private struct Usage: CustomStringConvertible {
  let descriptors: Int
  /// All but those of the pools, which come as they are needed and stay.
  let threads: Int
  let bytes: Int

  static var now: Usage {
    let files = FileManager.default
    let own = name(of: "\(getpid())")
    let names = ((try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).map(name(of:))
    // Dispatch's workers have the program's name or that of their queue.
    let counted = names.filter { !$0.hasPrefix("sprocket.pool") && $0 != own && !$0.contains("-qos") }
    return Usage(
      descriptors: (try? files.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0, threads: counted.count,
      bytes: allocatedBytes)
  }

  private static func name(of task: String) -> String {
    (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) ?? ""
  }

  var description: String { "descriptors \(descriptors) threads \(threads) bytes \(bytes)" }
}
