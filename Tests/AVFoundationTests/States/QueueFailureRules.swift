import AVFoundation
import MediaEngine
import MediaTestSupport
import Testing

/// Items of a queue that can't be played: each fails, is passed over, and the rest goes on.
@Suite struct QueueFailureRules {
  private var missing: URL { URL(fileURLWithPath: "/nowhere/at-all.mp4") }

  private func items(_ urls: [URL]) -> [AVPlayerItem] { urls.map { AVPlayerItem(url: $0) } }

  @Test("The first items fail: the queue goes on to the first that can be played, and plays it")
  func atTheHead() async throws {
    try await Stage.run(.real) { stage in
      let items = self.items([self.missing, self.missing, stage.url])
      let player = AVQueuePlayer(items: items)
      player.play()
      await stage.until("the third plays") { player.timeControlStatus == .playing }
      #expect(player.currentItem === items[2])
      #expect(player.items() == [items[2]])
      #expect(items[0].status == .failed && items[1].status == .failed)
      #expect(player.rate == 1)
    }
  }

  @Test("Items that fail before their turn are passed over without a gap")
  func inTheMiddle() async throws {
    try await Stage.run(.real) { stage in
      let tone = try Fixture.url("tone.wav")
      let items = self.items([tone, self.missing, try Fixture.url("protected.mp4"), tone])
      let player = AVQueuePlayer(items: items)
      let record = Record()
      let token = stage.note(.AVPlayerItemDidPlayToEndTime, of: items[0], in: record)
      player.play()
      await stage.until("the last plays", limit: 20) { player.currentItem === items[3] }
      #expect(record.count("posted") == 1)
      await stage.until("all is played", limit: 20) { player.items().isEmpty }
      #expect(items[1].status == .failed)
      let heard = stage.heard
      let first = try #require(heard.firstIndex { abs($0) > 0.01 })
      let last = try #require(heard.lastIndex { abs($0) > 0.01 })
      let rate = try #require(stage.sinks.sinks.first).format.sampleRate
      #expect(abs(last - first - 10 * rate) < rate / 100, "\(last - first) samples")
      withExtendedLifetime(token) {}
    }
  }

  @Test("All fail: the last stays to be seen, the player stands, and each item says why")
  func allOfThem() async throws {
    try await Stage.run(.real) { stage in
      let items = self.items(Array(repeating: self.missing, count: 5))
      let player = AVQueuePlayer(items: items)
      player.play()
      await stage.until("all have failed") { items.allSatisfy { $0.status == .failed } }
      await stage.until("the player stands") { player.timeControlStatus == .paused }
      #expect(player.items() == [items[4]])
      #expect(player.rate == 0)
      #expect(items.allSatisfy { $0.error != nil })
      #expect(player.status == .readyToPlay && player.error == nil)
    }
  }
}
