import AVFoundation
import MediaTestSupport
import Testing

/// States, queues, teardown. The numbers are those of Docs/FaultCases.md.
@Suite struct PlayerCases {
  @Test("P085: 200 items in ten seconds end with the last one playing, and no older one is heard of again")
  func itemsReplacedFast() async throws {
    try await Stage.run(.real, file: "plain.mp4") { stage in
      let urls = [
        stage.url, try Fixture.url("no-index.ts"), try Fixture.url("tone.mp3"),
        URL(fileURLWithPath: "/nowhere/missing.mp4"),
      ]
      let player = AVPlayer()
      player.play()
      let late = Record()
      var tokens: [NSKeyValueObservation] = []
      var items: [Weak<AVPlayerItem>] = []
      for number in 0..<200 {
        let item = AVPlayerItem(url: urls[number % urls.count])
        items.append(Weak(item))
        tokens.append(
          item.observe(\.status) { [weak player] item, _ in
            if player?.currentItem !== item { late.note("\(number) \(item.status.rawValue)") }
          })
        player.replaceCurrentItem(with: item)
        if number % 5 == 0 { player.seek(to: seconds(5)) { _ in } }
        await stage.sleep(50)
      }
      let last = AVPlayerItem(url: stage.url)
      player.replaceCurrentItem(with: last)
      player.play()
      await stage.until("the last one plays") { player.timeControlStatus == .playing && last.currentTime() > .zero }
      #expect(player.currentItem === last)
      #expect(late.all.isEmpty)
      for token in tokens { token.invalidate() }
      tokens = []
      let all = items
      await stage.until("all others are gone") { all.allSatisfy { $0.isGone } }
    }
  }

  @Test("P087: a source that breaks in the middle fails once and does not end", arguments: Clip.allCases)
  func breakIsNoEnd(_ clip: Clip) async throws {
    try await Stage.run(clip, file: "base.mp4", failAt: 0.6) { stage in
      let case87 = await stage.player(of: stage.url)
      #expect(case87.item.status == .readyToPlay)
      case87.player.play()
      await stage.until("failed") { case87.record.count("failed") == 1 }
      await stage.sleep(2_000)
      #expect(case87.record.all == ["failed"])
      #expect(case87.player.rate == 0)
    }
  }

  @Test("P087: a transport stream that stops in the middle promised nothing more: it ends once and does not fail")
  func cutStreamEnds() async throws {
    let whole = try Data(contentsOf: Fixture.url("no-index.ts"))
    let cut = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString).ts")
    try whole.prefix(whole.count / 2).write(to: cut)
    defer { try? FileManager.default.removeItem(at: cut) }
    try await Stage.run(.real) { stage in
      let case87 = await stage.player(of: cut)
      case87.player.play()
      await stage.until("ended") { !case87.record.all.isEmpty }
      await stage.sleep(2_000)
      #expect(case87.record.all == ["ended"])
      #expect(abs(case87.player.currentTime().seconds - 10) < 1.5)
    }
  }

  @Test("P103: every awaited seek returns once, whatever else happens to player and item")
  func everyAwaitReturns() async throws {
    try await Stage.run(.fake) { stage in
      var random = SeededNumbers(103)
      for _ in 0..<60 {
        let answers = Record()
        var asked = 0
        do {
          var player: AVPlayer? = AVPlayer(playerItem: AVPlayerItem(url: stage.url))
          for _ in 0..<Int.random(in: 2...12, using: &random) {
            switch Int.random(in: 0..<7, using: &random) {
            case 0: player?.rate = [0, 1, 2].randomElement(using: &random) ?? 0
            case 1: player?.replaceCurrentItem(with: AVPlayerItem(url: stage.url))
            case 2: player?.currentItem?.cancelPendingSeeks()
            case 3: await stage.sleep(Int64.random(in: 0...300, using: &random))
            case 4 where Bool.random(using: &random): player = nil
            default:
              guard let player else { continue }
              asked += 1
              let number = asked
              player.seek(to: seconds(Double.random(in: 0..<10, using: &random))) { _ in answers.note("\(number)") }
            }
          }
        }
        let count = asked
        await stage.until("all answered") { answers.all.count >= count }
        await stage.sleep(50)
        #expect(Set(answers.all).count == count)
        #expect(answers.all.count == count)
      }
    }
  }
}
