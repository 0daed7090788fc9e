import AVFoundation
import Testing

/// What raises an exception at Apple's ends the process here, each with its own reason.
@Suite struct MisuseTests {
  @Test func oneItemInTwoPlayers() async {
    await #expect(processExitsWith: .failure) {
      let item = AVPlayerItem(url: URL(fileURLWithPath: "/nowhere.mp4"))
      let first = AVPlayer(playerItem: item)
      let second = AVPlayer(playerItem: item)
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test func oneItemTwiceInAQueue() async {
    await #expect(processExitsWith: .failure) {
      let item = AVPlayerItem(url: URL(fileURLWithPath: "/nowhere.mp4"))
      _ = AVQueuePlayer(items: [item, item])
    }
  }

  @Test func insertingAfterAnItemThatIsNotInTheQueue() async {
    await #expect(processExitsWith: .failure) {
      let items = (0..<3).map { _ in AVPlayerItem(url: URL(fileURLWithPath: "/nowhere.mp4")) }
      AVQueuePlayer(items: [items[0]]).insert(items[1], after: items[2])
    }
    await #expect(processExitsWith: .success) {
      let items = (0..<3).map { _ in AVPlayerItem(url: URL(fileURLWithPath: "/nowhere.mp4")) }
      let player = AVQueuePlayer(items: [items[0]])
      player.insert(items[1], after: items[0])
      player.insert(items[2], after: nil)
    }
  }

  @Test func seekingToNoTime() async {
    await #expect(processExitsWith: .failure) { AVPlayer().seek(to: .invalid) }
    await #expect(processExitsWith: .failure) { AVPlayer().seek(to: .indefinite) }
    await #expect(processExitsWith: .failure) {
      AVPlayer().seek(to: .zero, toleranceBefore: CMTime(value: -1, timescale: 1), toleranceAfter: .zero)
    }
  }

  @Test func noBoundaryTimes() async {
    await #expect(processExitsWith: .failure) {
      _ = AVPlayer().addBoundaryTimeObserver(forTimes: [], queue: nil) {}
    }
  }

  @Test func advancingWithoutAQueue() async {
    await #expect(processExitsWith: .failure) { AVPlayer().actionAtItemEnd = .advance }
    await #expect(processExitsWith: .success) { AVQueuePlayer().actionAtItemEnd = .advance }
  }

  @Test func anotherPlayersTimeObserver() async {
    await #expect(processExitsWith: .failure) {
      let first = AVPlayer()
      let second = AVPlayer()
      let token = first.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 1), queue: nil) { _ in }
      second.removeTimeObserver(token)
    }
  }

  @Test func aSynchronizedRateWhileWaitingAutomatically() async {
    await #expect(processExitsWith: .failure) {
      AVPlayer().setRate(1, time: .zero, atHostTime: .invalid)
    }
  }

  @Test func prerollBeforeReady() async {
    await #expect(processExitsWith: .failure) { AVPlayer().preroll(atRate: 1) { _ in } }
  }

  @Test func outputSettingsThatAreEmpty() async {
    await #expect(processExitsWith: .failure) { _ = AVPlayerItemVideoOutput(outputSettings: [:]) }
  }
}
