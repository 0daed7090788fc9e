import AVFoundation
import Testing

/// Pieces of ordinary client code, each behaving as it does where it comes from.
@Suite(.serialized) @MainActor struct SnippetTests {
  init() { _ = Clips.root }

  @Test func aViewModelShowsProgressAndErrors() async throws {
    let model = PlaybackViewModel(url: Clips.long)
    model.player.isMuted = true
    model.player.play()
    try await eventually("progress") { model.state.progress > 0.01 && model.state.isPlaying }
    #expect(model.state.remaining.hasPrefix("-0:0"))
    #expect(!model.state.isBuffering)
    model.stop()
    let broken = PlaybackViewModel(url: URL(fileURLWithPath: "/no/such.mp4"))
    try await eventually("a message") { broken.state.message?.isEmpty == false }
    broken.stop()
  }

  @Test func everyNotificationOfEveryItemIsSeenWithoutAnObject() async throws {
    let events = PlaybackEvents()
    let player = AVPlayer(url: Clips.short)
    player.isMuted = true
    player.play()
    try await eventually("the end") {
      events.events.contains { $0.hasPrefix(Notification.Name.AVPlayerItemDidPlayToEndTime.rawValue) }
    }
    await player.seek(to: .zero)
    try await eventually("a jump") {
      events.events.contains { $0.hasPrefix(Notification.Name.AVPlayerItemTimeJumped.rawValue) }
    }
    #expect(events.events.contains("AVPlayerRateDidChangeNotification by the app"))
    #expect(events.events.contains { $0.hasPrefix(Notification.Name.AVPlayerItemNewAccessLogEntry.rawValue) })
  }

  @Test func aPlaylistPlaysThroughAndGoesBack() async throws {
    let list = PlaylistController(urls: [Clips.short, Clips.url("flash.flv"), Clips.long])
    list.player.isMuted = true
    list.start()
    #expect(list.currentIndex == 0)
    try await eventually("the second") { list.currentIndex == 1 }
    list.next()
    #expect(list.currentIndex == 2)
    list.previous()
    #expect(list.currentIndex == 1)
    #expect(list.player.items().count == 2)
    try await eventually("told") { list.played.suffix(2) == [2, 1] }
    list.close()
    #expect(list.player.currentItem == nil)
  }

  @Test func anAudioAppSkipsSpeedsUpAndSleeps() async throws {
    let audio = AudioOnlyPlayer(url: Clips.url("tone.m4a"))
    audio.player.isMuted = true
    try await eventually("ready") { audio.player.currentItem?.status == .readyToPlay }
    #expect(audio.player.currentItem?.presentationSize == .zero)
    audio.sleep(at: CMTime(value: 3, timescale: 10))
    audio.play(speed: 1.5)
    #expect(audio.player.rate == 1.5)
    try await eventually("asleep") { audio.didSleep }
    #expect(audio.player.rate == 0)
    let before = audio.player.currentTime()
    #expect(await audio.skip(by: -60))
    #expect(audio.player.currentTime() < before)
    audio.fadeOut()
    #expect(audio.player.volume == 0)
  }

  @Test func aDrawLoopPullsPicturesInOrder() async throws {
    let puller = FramePuller()
    let item = AVPlayerItem(url: Clips.long)
    item.add(puller.output)
    let player = AVPlayer(playerItem: item)
    player.isMuted = true
    player.play()
    var drawn: (width: Int, planes: Int, luma: UInt8)?
    try await eventually("five pictures") {
      if let picture = puller.draw() { drawn = picture }
      return puller.times.count >= 5
    }
    player.pause()
    #expect(drawn?.planes == 2)
    #expect(drawn?.width == Int(item.presentationSize.width))
    #expect(puller.times == puller.times.sorted())
    #expect(!puller.isWaitingForData)
    let flushes = puller.flushes
    await player.seek(to: CMTime(value: 8, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)
    try await eventually("flushed") { puller.flushes > flushes }
  }

  @Test func aStripOfThumbnailsIsMade() async throws {
    let strip = ThumbnailStrip(asset: AVURLAsset(url: Clips.long))
    await strip.fill((0..<12).map { CMTime(value: CMTimeValue($0), timescale: 1) })
    #expect(strip.pictures.map(\.time.seconds) == (0..<10).map(Double.init))
    #expect(strip.failures == 2)
    #expect(strip.pictures.allSatisfy { $0.image.width == 160 && $0.image.height == 90 })
    let poster = try await strip.poster()
    #expect(poster.width == 160)
    #expect(try strip.copied(at: 3).width == 160)
    let results = AsyncStream<AVAssetImageGenerator.Result> { continuation in
      ThumbnailStrip.legacyPictures(of: Clips.short, at: [0, 0.2]) { continuation.yield($0) }
    }
    for await result in results.prefix(2) { #expect(result == .succeeded) }
  }

  @Test func aLibraryReadsTagsAndFormats() async throws {
    let song = try await loadInfo(Clips.url("tagged.m4a"))
    #expect(song.title == "A Tagged Tone")
    #expect(song.artist == "The Oscillators")
    #expect(song.artwork != nil)
    let film = try await loadInfo(Clips.url("rotated.mp4"))
    #expect(film.isPortrait)
    #expect(film.codec == "avc1")
    #expect(film.frameRate == 30)
    let old: MediaInfo? = await withCheckedContinuation { continuation in
      loadInfoTheOldWay(Clips.url("plain.mp4")) { info, _ in continuation.resume(returning: info) }
    }
    #expect(old?.duration == 10)
    #expect((old?.size.width ?? 0) > 0)
  }

  @Test func chaptersMakeAMenu() async throws {
    let list = try await chapters(of: AVURLAsset(url: Clips.url("tagged.m4a")))
    #expect(list.map(\.title) == ["One", "Zwei", "三"])
    #expect(list.map(\.start) == [0, 2, 4])
    #expect(try await chapters(of: AVURLAsset(url: Clips.short)).isEmpty)
  }

  @Test func languagesAreChosenFromAMenu() async throws {
    let item = AVPlayerItem(url: Clips.url("languages.mkv"))
    let player = AVPlayer(playerItem: item)
    player.appliesMediaSelectionCriteriaAutomatically = false
    let menu = LanguageMenu(item: item)
    try await menu.load()
    try await eventually("ready") { item.status == .readyToPlay }
    #expect(menu.audioNames.count == 2)
    menu.selectAudio("de")
    #expect(menu.selectedAudio == "de")
    menu.selectSubtitles("en")
    #expect(menu.selectedSubtitles == "en")
    menu.selectSubtitles(nil)
    #expect(menu.selectedSubtitles == nil)
    player.replaceCurrentItem(with: nil)
  }

  @Test func anItemsLifeIsMonitored() async throws {
    let item = AVPlayerItem(url: Clips.short)
    let monitor = ItemMonitor(item)
    let player = AVPlayer(playerItem: item)
    player.isMuted = true
    player.play()
    try await eventually("the end") { player.rate == 0 && player.currentTime() >= item.duration }
    let log = monitor.log
    #expect(log.contains("empty false") && log.contains("likely true") && log.contains("loaded true"))
    let ready = try #require(log.firstIndex(of: "status 1"))
    #expect((log.firstIndex { $0.hasPrefix("size") } ?? .max) < ready)
    // How often it stalls is a matter of the machine.
    #expect(ItemMonitor.summary(item).hasSuffix(" stalls, watched"))
  }

  @Test func scrubbingAlwaysLandsOnTheLastTarget() async throws {
    let player = AVPlayer(url: Clips.long)
    try await eventually("ready") { player.currentItem?.status == .readyToPlay }
    let scrubber = ChasingScrubber(player: player)
    for tenth in 1...60 {
      scrubber.stopPlayingAndSeekSmoothlyToTime(newChaseTime: CMTime(value: CMTimeValue(tenth), timescale: 10))
    }
    try await eventually("the last target") { player.currentTime() == CMTime(value: 6, timescale: 1) }
    #expect(scrubber.landings < 60)
  }

  @Test func aBackgroundLoopsInALayer() async throws {
    let background = LoopingBackground(url: Clips.short)
    try await eventually("two rounds") { background.loops >= 2 }
    #expect(background.layer.isReadyForDisplay)
    #expect(background.layer.videoRect.height >= 320)
    #expect(background.player.rate == 1)
    background.stop()
  }
}
