@testable import AVFoundation
import MediaEngine
import Testing

/// An item that leaves and comes back while two threads are at it, in the order that lost it.
@Suite struct RosterTests {
  @Test func anItemThatComesBackWhileItsLeavingIsTold_isKept() async throws {
    try await Stage.run(.fake) { stage in
      let roster = PlayerRoster()
      let item = AVPlayerItem(url: stage.url)
      roster.expect(item)
      #expect(roster.settle(item, unlessIn: { [item.core] }).isEmpty)
      // It has left the queue; before that is told, another thread brings it back.
      roster.expect(item)
      #expect(roster.forget([item.core], unlessIn: { [] }).isEmpty)
      #expect(roster.item(of: item.core) === item)
      #expect(roster.settle(item, unlessIn: { [item.core] }).isEmpty)
      #expect(roster.item(of: item.core) === item)
      #expect(roster.forget([item.core], unlessIn: { [] }).count == 1)
      #expect(roster.item(of: item.core) == nil)
    }
  }

  @Test func anItemThatHasLeftBeforeItsComingIsDone_isForgotten() async throws {
    try await Stage.run(.fake) { stage in
      let roster = PlayerRoster()
      let item = AVPlayerItem(url: stage.url)
      roster.expect(item)
      #expect(roster.forget([item.core], unlessIn: { [] }).isEmpty)
      #expect(roster.settle(item, unlessIn: { [] }).count == 1)
      #expect(roster.item(of: item.core) == nil)
    }
  }
}
