import AVFoundation
import MediaTestSupport
import Testing

/// Movies that are legal but unusual, or broken. The numbers are those of Docs/FaultCases.md.
@Suite struct ContainerCases {
  @Test("P029: sound that an edit list delays is silent until then, also after a seek to zero")
  func delayedSoundBeginsAtItsTime() async throws {
    try await Stage.run(.real, file: "late-audio.mp4") { stage in
      let case29 = await stage.player(of: stage.url)
      #expect(abs(case29.item.duration.seconds - 10.68) < 0.05)
      for _ in 0..<2 {
        let from = stage.heard.count
        case29.player.play()
        await stage.until("two seconds") { case29.player.currentTime() > seconds(2) }
        let zero = stage.silence(before: case29.player)
        let heard = stage.heard
        let first = try #require(heard[from...].firstIndex { abs($0) > 0.02 })
        #expect(abs(first - zero - 32_640) < 100)
        case29.player.pause()
        #expect(await case29.seek(0))
        await stage.sleep(200)
      }
    }
  }

  @Test(
    "P031: fragments without an index are seekable and of known length",
    arguments: [
      "fragmented.mp4", "frag-mfra.mp4", "frag-sidx.mp4",
    ])
  func fragmentsAreSeekable(file: String) async throws {
    try await Stage.run(.real, file: file) { stage in
      let case31 = await stage.player(of: stage.url)
      // Without an edit list the picture begins behind the two frames of reordering.
      #expect(abs(case31.item.duration.seconds - 10.067) < 0.05)
      #expect(case31.item.seekableTimeRanges.first.map { abs($0.timeRangeValue.end.seconds - 10.067) < 0.05 } == true)
      for (time, number) in [(7.31, 217), (2.01, 58), (9.99, 297), (0, 0), (10.04, 299)] {
        #expect(await case31.seek(time))
        #expect(case31.number == number)
      }
    }
  }

  @Test("P033: boxes of 64-bit size and of size 0 play and seek", arguments: ["size64.mp4", "mdat0.mp4"])
  func unusualBoxSizesPlayAndSeek(file: String) async throws {
    try await Stage.run(.real, file: file) { stage in
      let case33 = await stage.player(of: stage.url)
      #expect(await case33.seek(8.51))
      #expect(case33.number == 255)
      case33.player.play()
      await stage.until("ended") { case33.record.count("ended") == 1 }
      #expect(abs(case33.player.currentTime().seconds - 10) < 0.05)
    }
  }

  @Test("P035: a file cut short plays its good part and then fails once, at the time reached")
  func cutFilePlaysItsGoodPart() async throws {
    try await Stage.run(.real, file: "trunc-fast.mp4") { stage in
      let case35 = await stage.player(of: stage.url)
      case35.player.play()
      await stage.until("failed") { case35.record.count("failed") == 1 }
      await stage.sleep(2_000)
      #expect(case35.record.all == ["failed"])
      let reached = case35.player.currentTime().seconds
      #expect(reached > 5 && reached < 7)
      #expect(case35.player.rate == 0)
    }
  }

  @Test("P035: a file whose index is lost says so")
  func lostIndexIsSaid() async throws {
    try await Stage.run(.real, file: "trunc-tail.mp4") { stage in
      let case35 = await stage.player(of: stage.url, limit: 1)
      #expect(case35.item.status == .failed)
      #expect(case35.item.error?.localizedDescription.isEmpty == false)
    }
  }

  @Test("P035: a header that announces fragments over a file without any plays or fails, but never hangs")
  func headerWithoutFragmentsDoesNotHang() async throws {
    try await Stage.run(.real, file: "no-moof.m4a") { stage in
      let case35 = await stage.player(of: stage.url, limit: 1)
      #expect(case35.item.status == .readyToPlay)
      case35.player.play()
      await stage.until("ended") { case35.record.count("ended") == 1 }
      #expect(abs(case35.player.currentTime().seconds - 10) < 0.1)
    }
  }

  @Test("P037: a wrong duration is corrected, its observers are told, and the end comes with the last sample")
  func wrongDurationIsCorrected() async throws {
    try await Stage.run(.real, file: "wrongdur.mp4") { stage in
      let case37 = await stage.player(of: stage.url)
      let durations = Record()
      let token = case37.item.observe(\.duration, options: [.initial, .new]) { item, _ in
        durations.note("\(item.duration.seconds.rounded())")
      }
      case37.player.play()
      await stage.until("ended") { case37.record.count("ended") == 1 }
      #expect(abs(case37.player.currentTime().seconds - 10) < 0.1)
      #expect(abs(case37.item.duration.seconds - 10) < 0.1)
      #expect(durations.all.last == "10.0")
      token.invalidate()
    }
  }

  @Test("P037: the position of a short memo moves from the first 100 ms on")
  func shortMemoMoves() async throws {
    try await Stage.run(.real, file: "short.m4a") { stage in
      let case37 = await stage.player(of: stage.url)
      case37.player.play()
      await stage.until("playing") { case37.player.timeControlStatus == .playing }
      let begin = case37.player.currentTime()
      await stage.sleep(100)
      #expect(abs((case37.player.currentTime() - begin).seconds - 0.1) < 0.03)
      await stage.until("ended") { case37.record.count("ended") == 1 }
      #expect(abs(case37.player.currentTime().seconds - 0.8) < 0.03)
    }
  }
}
