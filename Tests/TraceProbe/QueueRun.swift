import AVFoundation
import AudioOutput
import FFmpegBackend
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport

/// Long queues and loops through the public classes, on virtual time; prints what was played and what it holds.
enum QueueRun {
  private struct Seen {
    var ends = 0
    var outOfOrder = 0
    var advances = 0
  }

  /// Plays a file as `count` items of one queue.
  static func queue(_ file: URL, count: Int) async throws {
    try await virtually { scheduler, queue in
      let seen = Lock(Seen())
      let player = AVQueuePlayer(items: (0..<count).map { _ in AVPlayerItem(url: file) })
      // All of them are alive now, so that no two have the same identity.
      let places = Dictionary(
        uniqueKeysWithValues: player.items().enumerated().map { (ObjectIdentifier($1), $0) })
      let token = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemDidPlayToEndTime, object: nil, queue: nil
      ) { note in
        let place = (note.object as? AVPlayerItem).flatMap { places[ObjectIdentifier($0)] }
        seen.withLock { seen in
          if place != seen.ends { seen.outOfOrder += 1 }
          seen.ends += 1
        }
      }
      print("made", usage)
      player.play()
      for mark in [count / 10, count] {
        while seen.withLock({ $0.ends }) < mark, player.rate != 0 || !player.items().isEmpty {
          await queue.sleep(.milliseconds(50))
        }
        print("at \(mark)", usage)
      }
      await queue.sleep(.seconds(1 as Int64))
      let last = seen.withLock { $0 }
      print("ends", last.ends, "disorder", last.outOfOrder, "left", player.items().count)
      NotificationCenter.default.removeObserver(token)
    }
  }

  /// Loops a file that lasts a second, for as many seconds and a half from when it begins to play.
  static func loop(_ file: URL, seconds: Int) async throws {
    try await virtually { scheduler, queue in
      let ends = Lock(0)
      let token = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemDidPlayToEndTime, object: nil, queue: nil
      ) { _ in ends.withLock { $0 += 1 } }
      let player = AVQueuePlayer()
      let looper = AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: file))
      player.play()
      while player.timeControlStatus != .playing {
        if let error = looper.error { throw error }
        await queue.sleep(.milliseconds(1))
      }
      let begin = scheduler.now - .seconds(player.currentTime().seconds)
      for mark in [seconds / 10, seconds] {
        await queue.sleep(begin + .seconds(Double(mark) + 0.5) - scheduler.now)
        print("at \(mark)", usage)
      }
      print(
        "ends", ends.withLock { $0 }, "loops", looper.loopCount, "milliseconds",
        Int((player.currentTime().seconds * 1_000).rounded()))
      NotificationCenter.default.removeObserver(token)
    }
  }

  private static var usage: String { "bytes \(allocatedBytes)" }

  private static func virtually(
    _ body: @escaping @Sendable (VirtualScheduler, SerialQueue) async throws -> Void
  ) async throws {
    var options = VirtualScheduler.Options()
    options.plainTasks = .ignore
    try await VirtualScheduler.test(options) { scheduler, queue in
      let environment = EngineEnvironment(
        scheduler: scheduler, backend: FFmpegMediaBackend(), sources: LocalSourceOpener(),
        audioSinks: AudioSinks(.null))
      try await EngineEnvironment.$override.withValue(environment) { try await body(scheduler, queue) }
    }
  }
}
