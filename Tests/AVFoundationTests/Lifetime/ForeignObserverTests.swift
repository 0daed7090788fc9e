import AVFoundation
import Foundation
import MediaTestSupport
import Testing

/// An observer of all players' notifications on the main queue, as apps register it, beside players in a virtual world.
@Suite struct ForeignObserverTests {
  @Test(arguments: Clip.allCases)
  func anObserverOnTheMainQueueIsToldWithoutADeadlock(_ clip: Clip) async throws {
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
}
