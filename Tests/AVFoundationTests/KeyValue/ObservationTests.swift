import AVFoundation
import MediaRuntime
import MediaTestSupport
import Observation
import Testing

/// Swift's own observation. It is all of a process or none, so each test has a process of its own.
@Suite struct ObservationTests {
  @Test func itIsOffUnlessAskedFor() async {
    await #expect(processExitsWith: .success) {
      try await Stage.run(.fake) { _ in
        #expect(!AVPlayer.isObservationEnabled)
        let player = AVPlayer()
        let record = Record()
        withObservationTracking {
          _ = player.rate
        } onChange: {
          record.note("changed")
        }
        player.rate = 1
        #expect(record.all.isEmpty)
      }
    }
  }

  @Test func changesOfWhatWasReadAreTold() async {
    await #expect(processExitsWith: .success) {
      AVPlayer.isObservationEnabled = true
      try await Stage.run(.fake) { stage in
        let player = AVQueuePlayer()
        let record = Record()
        withObservationTracking {
          _ = player.rate
        } onChange: {
          // As it was: the change is told before it is made.
          record.note("rate was \(player.rate)")
        }
        player.volume = 0.5
        #expect(record.all.isEmpty)
        player.rate = 1
        #expect(record.all == ["rate was 0.0"])
        player.rate = 2
        #expect(record.all.count == 1)
      }
    }
  }

  @Test func chainsAndItemsAndTracksAreFollowed() async {
    await #expect(processExitsWith: .success) {
      AVPlayer.isObservationEnabled = true
      try await Stage.run(.fake) { stage in
        let player = AVPlayer()
        let record = Record()
        @Sendable func follow() {
          withObservationTracking {
            record.note("\(player.currentItem?.status.rawValue ?? -1)")
          } onChange: {
            stage.queue.post("look again") { follow() }
          }
        }
        follow()
        player.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
        await stage.until("ready") { record.all.last == "1" }
        #expect(record.all.first == "-1")
        let track = try #require(player.currentItem?.tracks.first)
        withObservationTracking {
          _ = track.isEnabled
        } onChange: {
          record.note("track")
        }
        track.isEnabled = false
        await stage.until("told") { record.count("track") == 1 }
      }
    }
  }

  @Test func theSwitchIsFixedByTheFirstObject() async {
    await #expect(processExitsWith: .failure) {
      let player = AVPlayer()
      AVPlayer.isObservationEnabled = true
      withExtendedLifetime(player) {}
    }
    await #expect(processExitsWith: .success) {
      AVPlayer.isObservationEnabled = true
      let player = AVPlayer()
      AVPlayer.isObservationEnabled = true
      withExtendedLifetime(player) {}
    }
  }
}
