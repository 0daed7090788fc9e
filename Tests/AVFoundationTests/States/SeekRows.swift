import AVFoundation
import MediaTestSupport
import Testing

/// Seeking through the façade.
@Suite struct SeekRows {
  @Test(arguments: Clip.allCases)
  func exactSeekLandsOnItsTimeOnTheMainQueue(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let record = Record()
      player.seek(to: seconds(3.2), toleranceBefore: .zero, toleranceAfter: .zero) { finished in
        MainActor.assumeIsolated { record.note("\(finished)") }
      }
      await stage.until("landed") { !record.all.isEmpty }
      #expect(record.all == ["true"])
      #expect(player.currentTime() == seconds(3.2))
      #expect(player.rate == 0)
    }
  }

  @Test(arguments: Clip.allCases)
  func asyncFormsAnswerTheSame(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      #expect(await player.seek(to: seconds(2)))
      #expect(await player.seek(to: seconds(4), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.currentTime() == seconds(4))
      #expect(await item.seek(to: seconds(1), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(item.currentTime() == seconds(1))
      #expect(await player.seek(to: Date(timeIntervalSince1970: 0)) == false)
    }
  }

  @Test(arguments: Clip.allCases)
  func aNewSeekAnswersTheOldOneFalse(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let record = Record()
      for number in 1...5 {
        player.seek(to: seconds(Double(number)), toleranceBefore: .zero, toleranceAfter: .zero) { finished in
          record.note("\(number) \(finished)")
        }
      }
      await stage.until("all answered") { record.all.count == 5 }
      await stage.sleep(1000)
      #expect(record.all == ["1 false", "2 false", "3 false", "4 false", "5 true"])
      #expect(player.currentTime() == seconds(5))
    }
  }

  @Test(arguments: Clip.allCases)
  func withoutAnItemTheAnswerIsFalse(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let player = AVPlayer()
      #expect(await player.seek(to: seconds(1)) == false)
    }
  }

  @Test(arguments: Clip.allCases)
  func replacingTheItemAnswersFalse(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let record = Record()
      player.seek(to: seconds(7), toleranceBefore: .zero, toleranceAfter: .zero) { record.note("\($0)") }
      player.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
      await stage.until("answered") { !record.all.isEmpty }
      await stage.sleep(500)
      #expect(record.all.count == 1)
    }
  }

  @Test(arguments: Clip.allCases)
  func seekBeforeReadySetsWhereItBegins(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let item = AVPlayerItem(url: stage.url)
      let record = Record()
      item.seek(to: seconds(6), toleranceBefore: .zero, toleranceAfter: .zero) { record.note("\($0)") }
      let player = AVPlayer(playerItem: item)
      await stage.until("ready") { item.status == .readyToPlay }
      #expect(player.currentTime() == seconds(6))
      await stage.until("answered") { record.all == ["true"] }
    }
  }

  @Test(
    "A seek that is awaited before there is a player is answered and sets where it begins", arguments: Clip.allCases)
  func awaitedBeforeThereIsAPlayer(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let item = AVPlayerItem(url: stage.url)
      let isKept = await item.seek(to: seconds(3), toleranceBefore: .zero, toleranceAfter: .zero)
      let isLastKept = await item.seek(to: seconds(6), toleranceBefore: .zero, toleranceAfter: .zero)
      #expect(isKept && isLastKept)
      let player = AVPlayer(playerItem: item)
      await stage.until("ready") { item.status == .readyToPlay }
      #expect(player.currentTime() == seconds(6))
      player.replaceCurrentItem(with: nil)
      let isKeptForAnother = await item.seek(to: seconds(2), toleranceBefore: .zero, toleranceAfter: .zero)
      #expect(isKeptForAnother)
      #expect(item.currentTime() == seconds(2))
    }
  }

  @Test(arguments: Clip.allCases)
  func seekingWhilePlayingPlaysOn(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      player.play()
      await stage.until("playing") { player.timeControlStatus == .playing }
      #expect(await player.seek(to: seconds(5), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.rate == 1)
      await stage.until("playing again") { player.timeControlStatus == .playing }
      await stage.sleep(500)
      #expect(player.currentTime() > seconds(5.3))
    }
  }

  @Test(arguments: Clip.allCases)
  func timeJumpedIsPostedForTheItem(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      let record = Record()
      let token = NotificationCenter.default.addObserver(
        forName: AVPlayerItem.timeJumpedNotification, object: item, queue: nil
      ) { _ in record.note("jumped") }
      #expect(await player.seek(to: seconds(5)))
      await stage.until("posted") { record.count("jumped") == 1 }
      NotificationCenter.default.removeObserver(token)
    }
  }
}
