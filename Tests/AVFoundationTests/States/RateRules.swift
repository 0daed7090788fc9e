import AVFoundation
import MediaTestSupport
import Testing

/// Rates: what is posted, default rates, rates on a host time, preroll.
@Suite struct RateRules {
  @Test("The default rate starts nothing and counts at the next play()", arguments: Clip.allCases)
  func defaultRate(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      #expect(player.defaultRate == 1)
      player.defaultRate = 0.5
      #expect(player.rate == 0)
      player.rate = 2
      #expect(player.defaultRate == 0.5)
      player.defaultRate = 1.5
      #expect(player.rate == 2)
      player.play()
      #expect(player.rate == 1.5)
    }
  }

  @Test("Rates that no clock can follow are taken as the edge", arguments: Clip.allCases)
  func absurdRates(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      for (rate, edge) in [(1e20, 1_024), (3e38, 1_024), (1e-30, 1 / 1_024), (.leastNonzeroMagnitude, 1 / 1_024)]
        as [(Float, Float)]
      {
        player.rate = rate
        #expect(player.rate == edge)
        await stage.sleep(100)
        player.pause()
        await player.seek(to: .zero)
      }
    }
  }

  @Test("Each change by the app is posted with setRateCalled, an unchanged rate is not", arguments: Clip.allCases)
  func rateChangesArePosted(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let record = Record()
      let token = stage.note(AVPlayer.rateDidChangeNotification, of: player, in: record) { notification in
        let reason = notification.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason
        let player = notification.object as? AVPlayer
        return "\(player?.rate ?? -1) \(reason == .setRateCalled)"
      }
      player.play()
      player.rate = 1
      player.rate = 2
      player.pause()
      await stage.until("told") { record.all.count >= 3 }
      await stage.sleep(200)
      #expect(record.all == ["1.0 true", "2.0 true", "0.0 true"])
      token.end()
    }
  }

  @Test("The time base has the effective rate: none while waiting", arguments: Clip.allCases)
  func effectiveRate(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, item) = await stage.readyPlayer()
      #expect(item.timebase?.rate == 0)
      player.rate = 2
      await stage.until("moving") { player.timeControlStatus == .playing && item.timebase?.rate == 2 }
      #expect(throws: NSError.self) { try item.timebase?.setRate(1) }
      player.pause()
      await stage.until("standing") { item.timebase?.rate == 0 }
    }
  }

  @Test("A rate on a host time brings the item to its time at that instant", arguments: Clip.allCases)
  func rateOnHostTime(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      player.automaticallyWaitsToMinimizeStalling = false
      let host = CMClock.hostTimeClock.time + seconds(1)
      player.setRate(1, time: seconds(4), atHostTime: host)
      #expect(player.rate == 1)
      await stage.sleep(2000)
      let expected = seconds(4) + (CMClock.hostTimeClock.time - host)
      #expect(abs((player.currentTime() - expected).seconds) < 0.05)
    }
  }

  @Test("Preroll is answered true when it is done, false when something comes between", arguments: Clip.allCases)
  func preroll(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      #expect(await player.preroll(atRate: 1))
      #expect(player.rate == 0)
      let record = Record()
      player.preroll(atRate: 1) { record.note("cancelled \($0)") }
      player.cancelPendingPrerolls()
      player.preroll(atRate: 1) { record.note("other rate \($0)") }
      player.rate = 2
      player.rate = 0
      player.preroll(atRate: 1) { record.note("moved \($0)") }
      player.seek(to: seconds(3)) { _ in }
      player.preroll(atRate: 1) { record.note("lost \($0)") }
      player.replaceCurrentItem(with: nil)
      await stage.until("all answered") { record.all.count == 4 }
      await stage.sleep(500)
      #expect(record.all.sorted() == ["cancelled false", "lost false", "moved false", "other rate false"])
    }
  }
}
