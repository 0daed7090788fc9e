import AVFoundation
import MediaEngine
import MediaTestSupport
import Testing

/// Choosing among a medium's tracks.
@Suite struct SelectionRules {
  @Test("Another camera angle is shown and can be read back", arguments: [false, true])
  func angles(whilePlaying: Bool) async throws {
    try await Stage.run(.fake, media: .twoAngles) { stage in
      let asset = AVURLAsset(url: stage.url)
      let visual = try #require(try await asset.loadMediaSelectionGroup(for: .visual))
      let frames = VideoFrameOutput()
      let item = AVPlayerItem(asset: asset)
      item.core.addOutput(frames)
      let player = AVPlayer(playerItem: item)
      await stage.until("ready") { item.status == .readyToPlay }
      #expect(item.currentMediaSelection.selectedMediaOption(in: visual) == visual.options.first)
      #expect(item.presentationSize == CGSize(width: 64, height: 48))
      #expect(item.tracks.prefix(3).map(\.isEnabled) == [true, true, false])
      if whilePlaying {
        player.play()
        await stage.until("on the way") { player.currentTime() > seconds(2.3) }
      }
      let record = Record()
      let token = item.observe(\.currentMediaSelection) { _, _ in record.note("told") }
      item.select(visual.options[1], in: visual)
      #expect(record.all == ["told"])
      #expect(item.currentMediaSelection.selectedMediaOption(in: visual) == visual.options[1])
      #expect(item.presentationSize == CGSize(width: 128, height: 96))
      #expect(item.tracks.prefix(3).map(\.isEnabled) == [false, true, true])
      await stage.until("the other angle") {
        let shown = frames.frame(at: player.currentTime())
        return shown?.picture.format.width == 128 && shown.map { $0.time > player.currentTime() - seconds(0.1) } == true
      }
      #expect(player.timeControlStatus == (whilePlaying ? .playing : .paused))
      token.invalidate()
    }
  }

  @Test("Closed captions and subtitles are one choice, and can be read back")
  func captions() async throws {
    try await Stage.run(.fake, media: .twoAngles) { stage in
      let asset = AVURLAsset(url: stage.url)
      let legible = try #require(try await asset.loadMediaSelectionGroup(for: .legible))
      let item = AVPlayerItem(asset: asset)
      let player = AVPlayer(playerItem: item)
      await stage.until("ready") { item.status == .readyToPlay }
      #expect(item.currentMediaSelection.selectedMediaOption(in: legible) == nil)
      for option in legible.options + legible.options.reversed() {
        item.select(option, in: legible)
        #expect(item.currentMediaSelection.selectedMediaOption(in: legible) == option)
        #expect(item.tracks.filter { $0.isEnabled }.count == 3)
      }
      item.select(nil, in: legible)
      #expect(item.currentMediaSelection.selectedMediaOption(in: legible) == nil)
      withExtendedLifetime(player) {}
    }
  }

  @Test("What cannot be decoded is no default, neither in the group nor when playing")
  func defaultsCanBeDecoded() async throws {
    var media = ScriptedMedia.twoAngles
    media.tracks[0].isDecodable = false
    try await Stage.run(.fake, media: media) { stage in
      let asset = AVURLAsset(url: stage.url)
      let visual = try #require(try await asset.loadMediaSelectionGroup(for: .visual))
      #expect(visual.defaultOption == visual.options[1])
      let item = AVPlayerItem(asset: asset)
      let player = AVPlayer(playerItem: item)
      await stage.until("ready") { item.status == .readyToPlay }
      #expect(item.currentMediaSelection.selectedMediaOption(in: visual) == visual.defaultOption)
      item.select(visual.options[0], in: visual)
      #expect(item.currentMediaSelection.selectedMediaOption(in: visual) == visual.defaultOption)
      #expect(item.presentationSize == CGSize(width: 128, height: 96))
      withExtendedLifetime(player) {}
    }
  }

  @Test("A track that is switched off is silent: no other one takes its place")
  func switchedOff() async throws {
    var media = ScriptedMedia.twoAngles
    media.tracks[2].kind = .metadata
    try await Stage.run(.fake, media: media) { stage in
      let (_, item) = await stage.readyPlayer()
      item.tracks[0].isEnabled = false
      #expect(item.tracks.prefix(2).map(\.isEnabled) == [false, true])
      #expect(item.presentationSize == CGSize(width: 64, height: 48))
    }
  }

  @Test("A copy of an item has its choices")
  func copies() async throws {
    try await Stage.run(.fake, media: .twoAngles) { stage in
      let (player, item) = await stage.readyPlayer()
      let asset = AVURLAsset(url: stage.url)
      let visual = try #require(try await asset.loadMediaSelectionGroup(for: .visual))
      item.select(visual.options[1], in: visual)
      item.tracks[1].isEnabled = false
      let copy = try #require(item.copy() as? AVPlayerItem)
      player.replaceCurrentItem(with: copy)
      await stage.until("ready") { copy.status == .readyToPlay }
      #expect(copy.currentMediaSelection.selectedMediaOption(in: visual) == visual.options[1])
      #expect(copy.tracks.prefix(3).map(\.isEnabled) == [false, false, true])
      #expect(!copy.currentMediaSelection.mediaSelectionCriteriaCanBeAppliedAutomatically(to: visual))
    }
  }

  @Test("All selections are all combinations, the preferred one first, and of too many not all")
  func allSelections() async throws {
    try await Stage.run(.fake, media: .twoAngles) { stage in
      let asset = AVURLAsset(url: stage.url)
      let selections = try await asset.load(.allMediaSelections)
      let preferred = try await asset.load(.preferredMediaSelection)
      let visual = try #require(try await asset.loadMediaSelectionGroup(for: .visual))
      let legible = try #require(try await asset.loadMediaSelectionGroup(for: .legible))
      #expect(selections.count == 2 * 3)
      #expect(selections.first == preferred)
      let texts = selections.map { selection in
        [visual, legible].map { selection.selectedMediaOption(in: $0)?.mediaType.rawValue ?? "none" }.joined()
          + (selection.selectedMediaOption(in: visual) == visual.defaultOption ? " 1" : " 2")
      }
      #expect(Set(texts).count == 6)
    }
    let many = ScriptedMedia.make().adding(.subtitle, in: Array(repeating: "en", count: 2_000))
    try await Stage.run(.fake, media: many) { stage in
      let selections = try await AVURLAsset(url: stage.url).load(.allMediaSelections)
      #expect(selections.count == 1_000)
    }
  }

  @Test("Wishes that nothing meets leave the default, not the first option")
  func wishesThatNothingMeets() async throws {
    var media = ScriptedMedia.make().adding(2, like: .audio) { track, _ in track.extendedLanguageTag = "de" }
      .adding(.subtitle, in: ["de"])
    media.tracks[1].isEnabled = false
    try await Stage.run(.fake, media: media) { stage in
      let asset = AVURLAsset(url: stage.url)
      let audible = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
      let legible = try #require(try await asset.loadMediaSelectionGroup(for: .legible))
      #expect(audible.defaultOption == audible.options[1])
      let wishes: [AVPlayerMediaSelectionCriteria] = [
        .init(preferredLanguages: nil, preferredMediaCharacteristics: [.describesVideoForAccessibility]),
        .init(preferredLanguages: [], preferredMediaCharacteristics: nil),
        .init(
          principalMediaCharacteristics: [.describesVideoForAccessibility], preferredLanguages: ["fr"],
          preferredMediaCharacteristics: nil),
      ]
      for wish in wishes {
        let item = AVPlayerItem(asset: asset)
        let player = AVPlayer()
        for characteristic in [AVMediaCharacteristic.audible, .legible] {
          player.setMediaSelectionCriteria(wish, forMediaCharacteristic: characteristic)
        }
        player.replaceCurrentItem(with: item)
        await stage.until("ready") { item.status == .readyToPlay }
        #expect(item.currentMediaSelection.selectedMediaOption(in: audible) == audible.options[1])
        #expect(item.currentMediaSelection.selectedMediaOption(in: legible) == nil)
      }
    }
  }

  /// English by default, German described, German, Japanese; in all of them the same tone.
  private static var dubbed: ScriptedMedia {
    ScriptedMedia.make().adding(3, like: .audio) { track, index in
      track.extendedLanguageTag = ["de", "de", "ja"][index]
      track.isEnabled = false
      if index == 0 { track.characteristics = [.visualImpaired] }
    }
  }

  @Test(
    "Sound is in the user's language unless somebody has chosen",
    arguments: [([], 0), (["de-AT"], 2), (["fr-FR", "ja-JP", "de"], 3), (["fr"], 0)] as [([String], Int)])
  func usersLanguage(_ languages: [String], _ index: Int) async throws {
    try await Stage.run(.fake, media: Self.dubbed, languages: languages) { stage in
      let asset = AVURLAsset(url: stage.url)
      let audible = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
      func chosen(_ item: AVPlayerItem) -> Int? {
        item.currentMediaSelection.selectedMediaOption(in: audible).flatMap { audible.options.firstIndex(of: $0) }
      }
      @Sendable func play(_ item: AVPlayerItem, _ prepare: (AVPlayer) -> Void = { _ in }) async -> AVPlayer {
        let player = AVPlayer(playerItem: item)
        prepare(player)
        await stage.until("ready") { item.status == .readyToPlay }
        return player
      }
      let items = (0..<4).map { _ in AVPlayerItem(asset: asset) }
      items[1].select(audible.options[1], in: audible)
      let players = [
        await play(items[0]), await play(items[1]),
        await play(items[2]) { player in
          player.setMediaSelectionCriteria(
            .init(preferredLanguages: ["ja"], preferredMediaCharacteristics: nil), forMediaCharacteristic: .audible)
        },
        await play(items[3]) { $0.appliesMediaSelectionCriteriaAutomatically = false },
      ]
      #expect(items.map(chosen) == [index, 1, 3, 0])
      // What an item's copy has switched off stays off.
      for track in items[0].tracks.dropFirst() where track.isEnabled { track.isEnabled = false }
      let silent = try #require(items[0].copy() as? AVPlayerItem)
      let player = await play(silent)
      #expect(silent.tracks.map(\.isEnabled) == [true, false, false, false, false])
      withExtendedLifetime((players, player)) {}
    }
  }

  static let tags = ["zh-Hans", "zh-Hant", "pt-PT", "pt-BR", "en-GB", "en-US", "en", nil]

  @Test(
    "The nearest language comes first",
    arguments: [
      ("zh-Hant", ["zh-Hant", "zh-Hans"]), ("zh_TW", ["zh-Hant", "zh-Hans"]), ("chi", ["zh-Hans", "zh-Hant"]),
      ("pt-BR", ["pt-BR", "pt-PT"]), ("pt-PT", ["pt-PT", "pt-BR"]), ("en_US", ["en-US", "en", "en-GB"]),
      ("en", ["en", "en-GB", "en-US"]), ("eng", ["en", "en-GB", "en-US"]), ("en-AU", ["en", "en-GB", "en-US"]),
      ("fr", []),
    ] as [(String, [String])])
  func nearestLanguage(_ wish: String, _ order: [String]) async throws {
    var media = ScriptedMedia.make().adding(.subtitle, in: Self.tags)
    media.chapters = Self.tags.map { tag in
      Chapter(timeRange: CMTimeRange(start: .zero, duration: seconds(1)), title: tag ?? "none", languageCode: tag)
    }
    try await Stage.run(.fake, media: media) { stage in
      let asset = AVURLAsset(url: stage.url)
      let options = try #require(try await asset.loadMediaSelectionGroup(for: .legible)).options
      let sorted = AVMediaSelectionGroup.mediaSelectionOptions(
        from: options, filteredAndSortedAccordingToPreferredLanguages: [wish])
      #expect(sorted.compactMap(\.extendedLanguageTag) == order)
      let nearest = AVMediaSelectionGroup.mediaSelectionOptions(from: options, with: Locale(identifier: wish))
      #expect(nearest.first?.extendedLanguageTag == order.first)
      #expect(nearest.count == min(order.count, 1))
      let items = Self.tags.map { tag in
        let item = AVMutableMetadataItem()
        item.extendedLanguageTag = tag
        return item
      }
      let sortedItems = AVMetadataItem.metadataItems(
        from: items, filteredAndSortedAccordingToPreferredLanguages: [wish])
      #expect(sortedItems.map(\.extendedLanguageTag) == order.map(String?.some) + [nil])
      let chapters = try await asset.loadChapterMetadataGroups(withTitleLocale: Locale(identifier: wish))
      #expect(chapters.compactMap { $0.items.first?.stringValue } == Array(order.prefix(1)))
      let preferred = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["ja", wish])
      #expect(preferred.compactMap { $0.items.first?.stringValue } == [order.first ?? "zh-Hans"])
      let item = AVPlayerItem(asset: asset)
      let player = AVPlayer()
      player.setMediaSelectionCriteria(
        .init(preferredLanguages: [wish], preferredMediaCharacteristics: nil), forMediaCharacteristic: .legible)
      player.replaceCurrentItem(with: item)
      await stage.until("ready") { item.status == .readyToPlay }
      let group = try #require(try await asset.loadMediaSelectionGroup(for: .legible))
      let chosen = item.currentMediaSelection.selectedMediaOption(in: group)
      #expect(chosen?.extendedLanguageTag == order.first)
    }
  }
}

extension ScriptedMedia {
  /// A film from two cameras, the second in a larger picture, with a subtitle and a caption track that are empty.
  fileprivate static var twoAngles: ScriptedMedia {
    make().adding(1, like: .video) { track, _ in
      track.video?.width = 128
      track.video?.height = 96
    }.adding(.subtitle, in: [nil]).adding(.closedCaption, in: [nil])
  }
}
