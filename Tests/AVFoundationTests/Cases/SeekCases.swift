import AVFoundation
import MediaTestSupport
import Testing

/// Seeking. The numbers are those of Docs/FaultCases.md.
@Suite struct SeekCases {
  @Test(
    "P075: 300 seeks in 3 s answer once each, show pictures all along, and never go back",
    arguments: [
      "base.mp4", "long-gop.mp4",
    ])
  func rapidScrubbing(file: String) async throws {
    try await Stage.run(.real, file: file) { stage in
      let case75 = await stage.player(of: stage.url)
      let answers = Record()
      let length = case75.item.duration.seconds
      var pictures: Set<Int> = []
      var highest = 0.0
      for number in 1...300 {
        let target = length * Double(number) / 320
        case75.player.seek(to: seconds(target), toleranceBefore: .zero, toleranceAfter: .zero) { finished in
          answers.note("\(number) \(finished)")
        }
        await stage.sleep(10)
        let now = case75.player.currentTime().seconds
        #expect(now >= highest)
        highest = max(highest, now)
        if let picture = case75.number { pictures.insert(picture) }
      }
      await stage.until("all answered") { answers.all.count == 300 }
      await stage.sleep(500)
      #expect(answers.all.count == 300)
      #expect(answers.all.last == "300 true")
      #expect(pictures.count >= 15)
      #expect(case75.player.currentTime() == seconds(length * 300 / 320))
    }
  }

  @Test("P075: a seek that supersedes another answers it false before it returns")
  func supersededAtOnce() async throws {
    try await Stage.run(.real, file: "long-gop.mp4") { stage in
      let case75 = await stage.player(of: stage.url)
      let answers = Record()
      for target in [55.0, 1.0] {
        case75.player.seek(to: seconds(target), toleranceBefore: .zero, toleranceAfter: .zero) { finished in
          answers.note("\(target) \(finished)")
        }
      }
      await stage.sleep(0)
      #expect(answers.all.first == "55.0 false")
      await stage.until("landed") { answers.count("1.0 true") == 1 }
      #expect(case75.number == 30)
    }
  }

  @Test("P077: targets at and beyond the end show the last frame; a seek back clears the end")
  func beyondTheEnd() async throws {
    try await Stage.run(.real, file: "base.mp4") { stage in
      let case77 = await stage.player(of: stage.url)
      for _ in 0..<10 {
        for target in [case77.item.duration.seconds, 1e9] {
          #expect(await case77.seek(target))
          #expect(case77.number == 299)
          #expect(abs(case77.player.currentTime().seconds - 10) < 0.05)
        }
        #expect(await case77.seek(3))
        #expect(case77.number == 90)
      }
      #expect(case77.record.all.isEmpty)
      let times = Record()
      let token = case77.player.addPeriodicTimeObserver(forInterval: seconds(0.1), queue: nil) { _ in
        times.note("tick")
      }
      for number in 1...3 {
        case77.player.play()
        #expect(await case77.seek(1e9))
        await stage.until("ended") { case77.record.count("ended") == number }
        #expect(await case77.seek(1))
        times.clear()
        case77.player.play()
        await stage.until("observed again") { times.count("tick") > 5 }
      }
      case77.player.removeTimeObserver(token)
    }
  }

  @Test("P079: a seek and play before readiness are kept; seeks inside the ready observer work")
  func beforeReadiness() async throws {
    try await Stage.run(.real, file: "base.mp4") { stage in
      let case79 = CasePlayer(stage.url)
      let answers = Record()
      let statuses = Record()
      case79.player.seek(to: seconds(4), toleranceBefore: .zero, toleranceAfter: .zero) { answers.note("4 \($0)") }
      case79.player.seek(to: seconds(3), toleranceBefore: .zero, toleranceAfter: .zero) { answers.note("3 \($0)") }
      let player = case79.player
      let token = case79.item.observe(\.status) { item, _ in
        statuses.note("\(item.status.rawValue)")
        guard item.status == .readyToPlay else { return }
        player.seek(to: seconds(5), toleranceBefore: .zero, toleranceAfter: .zero) { answers.note("5 \($0)") }
      }
      case79.player.play()
      await stage.until("playing behind 5 s") { case79.player.currentTime() > seconds(5.2) }
      #expect(answers.count("4 false") == 1)
      #expect(answers.all.filter { $0.hasPrefix("3 ") }.count == 1)
      #expect(answers.count("5 true") == 1)
      #expect(statuses.all == ["1"])
      for target in 1...6 {
        #expect(await case79.seek(Double(target)))
        #expect(case79.player.currentTime() >= seconds(Double(target)))
      }
      #expect(statuses.all == ["1"])
      token.invalidate()
    }
  }

  @Test("P081: with one key frame in 60 s a tolerant seek is at that frame at once and an exact one is exact")
  func sparseKeyFrames() async throws {
    try await Stage.run(.real, file: "long-gop.mp4") { stage in
      let case81 = await stage.player(of: stage.url)
      #expect(await case81.player.seek(to: seconds(59)))
      #expect(case81.number == 0)
      #expect(await case81.seek(59))
      #expect(case81.number == 1770)
      #expect(await case81.seek(30.02))
      #expect(case81.number == 900)
    }
  }

  @Test("P083: at the end a seek to zero shows the first frame and never changes the rate")
  func seekToZeroAtTheEnd() async throws {
    try await Stage.run(.real, file: "half-second.mp4") { stage in
      let case83 = await stage.player(of: stage.url)
      let first = case83.number
      for round in 1...20 {
        case83.player.play()
        await stage.until("ended") { case83.record.count("ended") == round }
        await stage.until("paused") { case83.player.timeControlStatus == .paused }
        if round % 2 == 0 { case83.player.pause() }
        #expect(await case83.seek(0))
        await stage.sleep(100)
        #expect(case83.player.rate == 0)
        #expect(case83.player.timeControlStatus == .paused)
        #expect(case83.player.currentTime() == .zero)
        #expect(case83.number == first)
      }
      case83.player.play()
      await stage.until("ended") { case83.record.count("ended") == 21 }
      let zero = Record()
      case83.player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero) { zero.note("\($0)") }
      case83.player.play()
      await stage.until("ended again") { case83.record.count("ended") == 22 }
      #expect(zero.all == ["true"])
      #expect(case83.record.count("failed") == 0)
    }
  }
}
