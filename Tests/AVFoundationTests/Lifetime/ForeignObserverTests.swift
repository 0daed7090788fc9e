import AVFoundation
import Foundation
import MediaTestSupport
import Testing

/// An observer of all players' notifications on the main queue, as apps register it.
///
/// In a process of its own: it would hear of other tests' players too, and a world that has the main queue to itself
/// waits for ever when it posts to it from elsewhere.
@Suite struct ForeignObserverTests {
  @Test("An observer of everything on the main queue is told without a deadlock")
  func observerOfEverything() async {
    await #expect(processExitsWith: .success) {
      for clip in Clip.allCases { try await Self.observeEverything(clip) }
    }
  }

  private static func observeEverything(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let record = Record()
      let (player, item) = await stage.readyPlayer()
      let token = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemTimeJumped, object: nil, queue: .main
      ) { note in
        if note.object as? AVPlayerItem === item { record.note("jumped") }
      }
      player.seek(to: seconds(3), toleranceBefore: .zero, toleranceAfter: .zero) { _ in record.note("landed") }
      await stage.until("landed") { record.all.contains("landed") }
      NotificationCenter.default.removeObserver(token)
      #expect(record.all.contains("jumped"))
    }
  }

  @Test(arguments: Clip.allCases)
  func aNotificationFromTheMainActorFollowsItsCallWithoutADeadlock(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let record = Record()
      let (player, _) = await stage.readyPlayer()
      let token = NotificationCenter.default.addObserver(
        forName: AVPlayer.rateDidChangeNotification, object: player, queue: .main
      ) { _ in record.note("posted") }
      await MainActor.run {
        player.rate = 1
        record.note("called")
        player.rate = 0
      }
      await stage.until("posted") { record.count("posted") == 2 }
      NotificationCenter.default.removeObserver(token)
      #expect(record.all == ["called", "posted", "posted"])
    }
  }
}
