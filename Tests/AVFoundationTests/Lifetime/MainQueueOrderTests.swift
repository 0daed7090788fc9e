import AVFoundation
import MediaRuntime
import MediaTestSupport
import Testing

/// A main queue that another thread than the main one serves, as in every program with an asynchronous main.
@Suite struct MainQueueOrderTests {
  @Test("Notifications for the main queue come in order with properties and completions, and nobody waits for himself")
  func order() async {
    await #expect(processExitsWith: .success) {
      setenv("SPROCKET_AUDIO", "null", 1)
      let url = try Fixture.url("half-second.mp4")
      let record = Record()
      // Where the main thread itself served the queue, there would be nothing to test.
      let isElsewhere = await MainActor.run { CallingThread.isMain && !Thread.isMainThread }
      #expect(isElsewhere)
      let (player, item, observations) = await MainActor.run {
        () -> (AVPlayer, AVPlayerItem, [NSKeyValueObservation]) in
        let item = AVPlayerItem(url: url)
        let player = AVPlayer(playerItem: item)
        player.isMuted = true
        for (name, text) in [
          (AVPlayer.rateDidChangeNotification, "rate posted"), (.AVPlayerItemDidPlayToEndTime, "end posted"),
          (.AVPlayerItemTimeJumped, "jump posted"),
        ] {
          _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in record.note(text)
          }
        }
        return (
          player, item,
          [player.observe(\.rate, options: [.new]) { _, change in record.note("rate \(change.newValue ?? -1)") }]
        )
      }
      for await status in item.values(for: \.status) where status == .readyToPlay { break }
      // One turn of the main queue, several commands.
      await MainActor.run {
        player.rate = 1
        player.rate = 2
        player.rate = 0
        #expect(player.rate == 0)
      }
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { OperationQueue.main.addOperation { continuation.resume() } }
      }
      #expect(
        record.all == ["rate 1.0", "rate posted", "rate 2.0", "rate posted", "rate 0.0", "rate posted"])
      record.clear()
      // The jump is posted before the seek is answered.
      await withCheckedContinuation { continuation in
        player.seek(to: CMTime(value: 2, timescale: 5), toleranceBefore: .zero, toleranceAfter: .zero) { _ in
          record.note("landed")
          continuation.resume()
        }
      }
      #expect(record.all == ["jump posted", "landed"])
      record.clear()
      let end = NotificationCenter.default.notifications(named: .AVPlayerItemDidPlayToEndTime, object: item)
      await MainActor.run { player.play() }
      for await _ in end { break }
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { OperationQueue.main.addOperation { continuation.resume() } }
      }
      #expect(record.count("end posted") == 1)
      #expect(record.all.first == "rate 1.0")
      withExtendedLifetime(observations) {}
    }
  }
}
