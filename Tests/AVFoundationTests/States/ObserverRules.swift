import AVFoundation
import MediaTestSupport
import Testing

/// Periodic and boundary observers.
@Suite struct ObserverRules {
  @Test("Observers of times that never come are no burden", arguments: Clip.allCases)
  func farAway(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let far = CMTime(value: .max, timescale: 1)
      let record = Record()
      let tokens = [
        player.addPeriodicTimeObserver(forInterval: far, queue: .main) { _ in record.note("periodic") },
        player.addBoundaryTimeObserver(forTimes: [NSValue(time: far)], queue: .main) { record.note("boundary") },
      ]
      player.play()
      await stage.until("one second") { player.currentTime() > seconds(1) }
      #expect(!record.all.contains("boundary"))
      for token in tokens { player.removeTimeObserver(token) }
    }
  }

  @Test("Intervals are item time: at rate 2 they come twice as often, at their multiples", arguments: Clip.allCases)
  func periodic(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let record = Record()
      let token = player.addPeriodicTimeObserver(forInterval: seconds(1), queue: nil) { time in
        record.note("\((time.seconds * 100).rounded() / 100)")
      }
      player.rate = 2
      await stage.until("three seconds on") { player.currentTime() >= seconds(3.2) }
      player.pause()
      await stage.sleep(100)
      for multiple in ["1.0", "2.0", "3.0"] { #expect(record.count(multiple) == 1, "\(record.all)") }
      #expect(!record.all.contains("0.5"))
      player.removeTimeObserver(token)
    }
  }

  @Test("It is called when playing starts, when it stops, and after each seek", arguments: Clip.allCases)
  func edges(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let record = Record()
      let token = player.addPeriodicTimeObserver(forInterval: seconds(100), queue: .main) { time in
        record.note("\((time.seconds * 10).rounded() / 10)")
      }
      await stage.until("the first call") { record.all.count == 1 }
      #expect(await player.seek(to: seconds(3), toleranceBefore: .zero, toleranceAfter: .zero))
      await stage.until("after the seek") { record.all == ["0.0", "3.0"] }
      player.play()
      await stage.until("at the start") { record.all.count == 3 }
      await stage.sleep(1000)
      #expect(record.all.count == 3)
      player.pause()
      await stage.until("at the stop") { record.all.count == 4 }
      player.removeTimeObserver(token)
      #expect(await player.seek(to: seconds(1)))
      await stage.sleep(200)
      #expect(record.all.count == 4)
    }
  }

  @Test("While nothing moves it is not called", arguments: Clip.allCases)
  func waiting(_ clip: Clip) async throws {
    try await Stage.run(clip, stallsAtOpening: true) { stage in
      let player = AVPlayer(url: stage.url)
      let record = Record()
      let token = player.addPeriodicTimeObserver(forInterval: seconds(0.1), queue: .main) { _ in record.note("tick") }
      player.play()
      await stage.sleep(200)
      record.clear()
      await stage.sleep(2000)
      #expect(record.all.isEmpty)
      stage.release()
      await stage.until("playing") { record.all.count > 3 }
      player.removeTimeObserver(token)
    }
  }

  @Test("Blocks run on the queue they were given", arguments: Clip.allCases)
  func queues(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let key = DispatchSpecificKey<Bool>()
      let queue = DispatchQueue(label: "observers")
      queue.setSpecific(key: key, value: true)
      let record = Record()
      let token = player.addPeriodicTimeObserver(forInterval: seconds(0.5), queue: queue) { _ in
        record.note("own \(DispatchQueue.getSpecific(key: key) == true)")
      }
      let other = player.addPeriodicTimeObserver(forInterval: seconds(0.5), queue: nil) { _ in
        MainActor.assumeIsolated { record.note("main") }
      }
      player.play()
      await stage.until("called") { record.count("own true") > 2 && record.count("main") > 2 }
      #expect(record.count("own false") == 0)
      player.removeTimeObserver(token)
      player.removeTimeObserver(other)
    }
  }

  @Test("Boundaries are passed by playing, not by seeking", arguments: Clip.allCases)
  func boundaries(_ clip: Clip) async throws {
    try await Stage.run(clip) { stage in
      let (player, _) = await stage.readyPlayer()
      let record = Record()
      let times = [1.0, 2, 7].map { NSValue(time: seconds($0)) }
      let token = player.addBoundaryTimeObserver(forTimes: times, queue: .main) { record.note("passed") }
      player.play()
      await stage.until("beyond two") { player.currentTime() > seconds(2.5) }
      #expect(record.all.count == 2)
      #expect(await player.seek(to: seconds(8), toleranceBefore: .zero, toleranceAfter: .zero))
      await stage.sleep(500)
      #expect(record.all.count == 2)
      player.removeTimeObserver(token)
    }
  }
}
