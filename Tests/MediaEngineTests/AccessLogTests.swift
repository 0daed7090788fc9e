import CoreMedia
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// The access log's figures.
@Suite struct AccessLogTests {
  private func film(seconds: Double = 10) -> ScriptedMedia {
    var video = ScriptedMedia.Video()
    video.seconds = seconds
    video.bytesPerFrame = 5_000
    var audio = ScriptedMedia.Audio()
    audio.seconds = seconds
    audio.bytesPerPacket = 400
    return .make(video: video, audio: audio)
  }

  @Test("Bytes and bit rates are those of the packets, and a period is one stretch of playing between seeks")
  func bytesAndBitRates() throws {
    let backend = FakeBackend()
    let media = film()
    backend.add(media)
    let runner = PlayerRunner(backend: backend)
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = ItemCore(asset: AssetCore(url: backend.url(), options: .init(), environment: runner.environment))
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.ended)
    let whole = try #require(item.accessLog.first?.counters)
    #expect(item.accessLog.count == 1)
    #expect(whole.bytes == Int64(media.samples.reduce(0) { $0 + $1.size }))
    #expect(whole.bytes == whole.videoBytes + whole.audioBytes)
    #expect(abs(PlaybackCounters.bitRate(whole.videoBytes, whole.videoSeconds) - 1_000_000) < 1)
    #expect(abs(PlaybackCounters.bitRate(whole.audioBytes, whole.audioSeconds) - 150_000) < 500)
    #expect(whole.droppedFrames == 0)
    #expect(item.accessLog.first?.stalls == 0)
    player.seek(to: CMTime(value: 9, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)
    player.play()
    try runner.advance(player).until(.ended)
    #expect(item.accessLog.count == 2)
    #expect(item.accessLog[0].counters == whole)
    let second = try #require(item.accessLog[1].counters)
    #expect(second.bytes < whole.bytes / 2)
    #expect(abs(item.accessLog[1].durationWatched - 1) < 0.05)
    player.replaceCurrentItem(nil)
    #expect(item.accessLog.map(\.counters) == [whole, second])
    player.close()
  }

  @Test("Each stall is counted once, in the period in which it happened")
  func stalls() throws {
    let backend = FakeBackend()
    let media = film(seconds: 30)
    var script = ScriptedByteSource.Script()
    script.mayBlock = true
    script.isRemote = true
    for part in [3, 7] { script.happenings[media.byteLength * Int64(part) / 10] = .stall }
    backend.add(media, script: script)
    let runner = PlayerRunner(backend: backend)
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = ItemCore(asset: AssetCore(url: backend.url(), options: .init(), environment: runner.environment))
    player.replaceCurrentItem(item)
    player.play()
    for stall in 1...2 {
      try runner.advance(player).until(
        PlayerCondition("stall \(stall)") { _, recorder in
          recorder.plainLines.filter { $0.hasPrefix("playbackStalled") }.count == stall
        })
      try runner.pass(.milliseconds(500))
      backend.sources().first?.release()
    }
    try runner.advance(player).until(.ended)
    #expect(item.accessLog.map(\.stalls).reduce(0, +) == 2)
    #expect(abs(item.accessLog.map(\.durationWatched).reduce(0, +) - 30) < 0.2)
    player.close()
  }

  @Test("What was watched is known at every moment, and no jump counts as watched")
  func watchedTime() throws {
    let backend = FakeBackend()
    backend.add(film(seconds: 60))
    let runner = PlayerRunner(backend: backend)
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = ItemCore(asset: AssetCore(url: backend.url(), options: .init(), environment: runner.environment))
    var watched: [Double] { item.accessLog.map { ($0.durationWatched * 100).rounded() / 100 } }
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.playing)
    let start = player.currentTime().seconds
    try runner.pass(.seconds(2 as Int64))
    #expect(abs(watched[0] - (player.currentTime().seconds - start)) < 0.05)
    #expect(abs(watched[0] - 2) < 0.1)
    // Far away, and into what is buffered; played on at once each time.
    for target in [40, 41] as [Int64] {
      player.seek(to: CMTime(value: target, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)
      try runner.pass(.seconds(2 as Int64))
    }
    #expect(watched.count == 3)
    #expect(watched.allSatisfy { abs($0 - 2) < 0.2 }, "\(watched)")
    // Sought while it rests: the time at rest and the jump count for nobody.
    player.pause()
    let paused = watched
    player.seek(to: CMTime(value: 5, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)
    try runner.pass(.seconds(2 as Int64))
    #expect(watched == paused)
    // A start at a time of its own begins a period too.
    player.play()
    try runner.pass(.seconds(1 as Int64))
    player.setRate(1, time: CMTime(value: 30, timescale: 1), atHostTime: nil)
    #expect(abs(watched[3] - 1) < 0.15, "\(watched)")
    try runner.pass(.seconds(1 as Int64))
    player.pause()
    try runner.pass(.seconds(1 as Int64))
    #expect(watched.count == 5)
    #expect(watched[3...].allSatisfy { abs($0 - 1) < 0.15 }, "\(watched)")
    player.close()
  }

  @Test("The log keeps the last thousand periods")
  func boundedLog() throws {
    let runner = PlayerRunner()
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    let item = runner.makeItem()
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.playing)
    for number in 0..<1_010 {
      player.seek(to: CMTime(value: Int64(number % 7), timescale: 1))
      try runner.pass(.milliseconds(40))
    }
    #expect(item.accessLog.count == 1_000)
    let starts = item.accessLog.map(\.start)
    #expect(starts == starts.sorted() && Set(starts).count == 1_000)
    #expect(item.accessLog.allSatisfy { $0.startupTime < 0 })
    player.close()
  }

  @Test("In a queue the item that takes over without a break has a period of its own")
  func queue() throws {
    let backend = FakeBackend()
    backend.add(film())
    let runner = PlayerRunner(backend: backend)
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    player.setActionAtItemEnd(.advance)
    let items = (0..<2).map { _ in
      ItemCore(asset: AssetCore(url: backend.url(), options: .init(), environment: runner.environment))
    }
    for item in items { player.insert(item, after: nil) }
    player.play()
    try runner.advance(player).until(
      PlayerCondition("the queue is dry") { player, _ in player.snapshot.currentItem == nil })
    for item in items {
      #expect(item.accessLog.count == 1)
      #expect(abs((item.accessLog.first?.durationWatched ?? 0) - 10) < 0.1)
    }
    player.close()
  }
}
