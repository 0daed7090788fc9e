import AVFoundation
import MediaTestSupport
import Testing

/// Assets, tracks, tags, chapters and choices of real files.
@Suite struct AssetTests {
  private func asset(_ name: String) throws -> AVURLAsset { AVURLAsset(url: try Fixture.url(name)) }

  @Test func propertiesAreLoadedOneByOneAndTogether() async throws {
    let asset = try asset("plain.mp4")
    guard case .notYetLoaded = asset.status(of: .duration) else {
      Issue.record("loaded without asking")
      return
    }
    #expect(try await asset.load(.duration).seconds == 10)
    guard case .loaded(let duration) = asset.status(of: .duration) else {
      Issue.record("not loaded")
      return
    }
    #expect(duration.seconds == 10)
    let (playable, tracks, metadata) = try await asset.load(.isPlayable, .tracks, .metadata)
    #expect(playable)
    #expect(tracks.count == 2)
    #expect(!metadata.contains { $0.commonKey == .commonKeyArtwork })
    let again = try await asset.load(.tracks)
    #expect(again.first === tracks.first)
  }

  @Test func tracksTellWhatTheyAre() async throws {
    let asset = try asset("rotated.mp4")
    let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
    let (size, transform, rate) = try await track.load(.naturalSize, .preferredTransform, .nominalFrameRate)
    #expect(size.width > size.height)
    #expect(!transform.isIdentity)
    #expect(rate == 30)
    #expect(track.trackID != kCMPersistentTrackID_Invalid)
    #expect(track.hasMediaCharacteristic(.visual))
    #expect(track.asset === asset)
    #expect(try await asset.loadTracks(withMediaCharacteristic: .audible).isEmpty)
    #expect(try await asset.loadTrack(withTrackID: track.trackID) === track)
    let formats = try await track.load(.formatDescriptions)
    #expect(formats.first?.mediaType == .video)
    #expect(formats.first?.mediaSubType == .h264)
    #expect(formats.first.map { CMVideoFormatDescriptionGetDimensions($0).width } == Int32(size.width))
    #expect(try await asset.load(.tracks).flatMap(\.segments).isEmpty == false)
  }

  @Test func sizesAreThoseOfTheTrackWithItsPixelAspect() async throws {
    let asset = try asset("anamorphic.mp4")
    let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
    let format = try #require(try await track.load(.formatDescriptions).first)
    let stored = CMVideoFormatDescriptionGetDimensions(format)
    #expect(asset.naturalSize == track.naturalSize)
    #expect(track.naturalSize.width != CGFloat(stored.width))
  }

  @Test func theNearestSegmentAnswersForTimesOutsideOfAll() async throws {
    let track = try #require(try await asset("late-audio.mp4").loadTracks(withMediaType: .audio).first)
    let mappings = track.segments.map(\.timeMapping)
    try #require(mappings.count > 1)
    for (time, mapping) in [(-5.0, mappings.first), (0, mappings.first), (10_000, mappings.last)] {
      #expect(track.segment(forTrackTime: seconds(time))?.timeMapping.target == mapping?.target)
    }
  }

  @Test("A load that is cancelled tells both forms the same, and the status follows")
  func cancelledLoads() async throws {
    try await Stage.run(.fake, stallsAtOpening: true) { stage in
      let asset = AVURLAsset(url: stage.url)
      let record = Record()
      asset.loadTracks(withMediaType: .audio) { _, error in
        let error = error as? NSError
        record.note("\(error?.domain ?? "none") \(error?.code ?? 0)")
      }
      #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .loading)
      asset.cancelLoading()
      #expect(record.all == ["\(AVFoundationErrorDomain) \(AVError.Code.operationCancelled.rawValue)"])
      #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .cancelled)
      asset.loadMetadata(for: .iTunesMetadata) { items, _ in record.note("\(items?.count ?? -1)") }
      stage.release()
      await stage.until("loaded anew") { record.all.count == 2 }
      #expect(record.all.last == "0")
      #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .loaded)
    }
  }

  @Test func synchronousGettersWait() throws {
    let asset = try asset("plain.mp4")
    #expect(asset.duration.seconds == 10)
    #expect(asset.tracks(withMediaType: .audio).count == 1)
    #expect(asset.isPlayable)
    let missing = AVAsset(url: URL(fileURLWithPath: "/no/such/file.mp4"))
    #expect(missing is AVURLAsset)
    #expect(missing.duration == .zero)
    #expect(missing.tracks.isEmpty)
    var error: NSError?
    #expect(missing.statusOfValue(forKey: "duration", error: &error) == .failed)
    #expect(error?.code == NSURLErrorFileDoesNotExist)
  }

  @Test func keysAreLoadedWithAHandler() async throws {
    let asset = try asset("plain.mp4")
    #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .unknown)
    await withCheckedContinuation { continuation in
      asset.loadValuesAsynchronously(forKeys: ["tracks", "duration"]) { continuation.resume() }
    }
    #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .loaded)
  }

  @Test func failuresAreThrownAsApplesErrors() async throws {
    let asset = AVURLAsset(url: URL(fileURLWithPath: "/no/such/file.mp4"))
    await #expect(throws: NSError.self) { try await asset.load(.duration) }
    do {
      _ = try await asset.load(.duration, .isPlayable)
      Issue.record("loaded nothing")
    } catch let error as NSError {
      #expect(error.domain == NSURLErrorDomain)
    }
    guard case .failed(let error) = asset.status(of: .duration) else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == NSURLErrorFileDoesNotExist)
  }

  @Test(arguments: ["tagged.m4a", "tagged.mp3", "tagged.flac"])
  func tagsOfEveryFamilyMapToTheCommonVocabulary(_ name: String) async throws {
    let common = try await asset(name).load(.commonMetadata)
    func text(_ identifier: AVMetadataIdentifier) -> String? {
      AVMetadataItem.metadataItems(from: common, filteredByIdentifier: identifier).first?.stringValue
    }
    #expect(text(.commonIdentifierTitle) == "A Tagged Tone")
    #expect(text(.commonIdentifierArtist) == "The Oscillators")
    #expect(text(.commonIdentifierAlbumName) == "Sines")
    #expect(text(.commonIdentifierCreationDate) == "2024")
  }

  @Test func coversAreDataUnderArtwork() async throws {
    let metadata = try await asset("tagged.m4a").load(.metadata)
    let artwork = try #require(
      AVMetadataItem.metadataItems(from: metadata, filteredByIdentifier: .commonIdentifierArtwork).first)
    #expect(artwork.identifier == .iTunesMetadataCoverArt)
    #expect(artwork.keySpace == .iTunes)
    let data = try await artwork.load(.dataValue)
    #expect(data?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    let title = metadata.first { $0.identifier == .iTunesMetadataSongName }
    #expect(title?.value as? String == "A Tagged Tone")
    #expect(title?.key as? String == "©nam")
  }

  @Test func chaptersAreTimedGroupsWithTitles() async throws {
    let asset = try asset("tagged.m4a")
    let locale = try #require(try await asset.load(.availableChapterLocales).first)
    let chapters = try await asset.loadChapterMetadataGroups(withTitleLocale: locale)
    #expect(chapters.map(\.timeRange.start.seconds) == [0, 2, 4])
    #expect(chapters.compactMap { $0.items.first?.stringValue } == ["One", "Zwei", "三"])
    #expect(try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"]).count == 3)
    // The track that holds the names in a movie.
    #expect(try await asset.loadTracks(withMediaType: .text).count == 1)
    #expect(try await asset.loadTracks(withMediaType: .metadata).isEmpty)
  }

  @Test func bibliographicCodesAreGivenAsTerminologicalOnes() async throws {
    var data = try Data(contentsOf: Fixture.url("languages.mkv"))
    var places = 0
    while let place = data.range(of: Data("deu".utf8)) {
      data.replaceSubrange(place, with: Data("ger".utf8))
      places += 1
    }
    try #require(places > 0)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mkv")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let asset = AVURLAsset(url: file)
    #expect(try await asset.loadTracks(withMediaType: .audio).map(\.languageCode) == ["eng", "deu"])
    let audible = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
    #expect(audible.options.compactMap(\.extendedLanguageTag) == ["en", "de"])
  }

  @Test func choicesComeFromTheTracksLanguages() async throws {
    let asset = try asset("languages.mkv")
    let audible = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
    #expect(audible.options.compactMap(\.extendedLanguageTag) == ["en", "de"])
    #expect(!audible.allowsEmptySelection)
    #expect(audible.defaultOption === audible.options.first)
    let german = AVMediaSelectionGroup.mediaSelectionOptions(
      from: audible.options, filteredAndSortedAccordingToPreferredLanguages: ["de-AT", "en"])
    #expect(german.compactMap(\.extendedLanguageTag) == ["de", "en"])
    let stored = try #require(german.first).propertyList()
    #expect(audible.mediaSelectionOption(withPropertyList: stored) == german.first)
    let legible = try #require(try await asset.loadMediaSelectionGroup(for: .legible))
    #expect(legible.allowsEmptySelection)
    #expect(legible.options.count == 2)
    #expect(german.first?.displayName(with: Locale(identifier: "en")) == "German")
    #expect(try await asset.loadMediaSelectionGroup(for: .visual) == nil)
  }

  @Test func subtitlesAreChosenByLanguageAndRole() async throws {
    let legible = try #require(try await asset("subtitles.mkv").loadMediaSelectionGroup(for: .legible))
    #expect(legible.options.compactMap(\.extendedLanguageTag) == ["en", "fr", "de"])
    #expect(legible.options.map(\.isPlayable) == [true, true, true])
    func chosen(_ characteristic: AVMediaCharacteristic) -> [String?] {
      AVMediaSelectionGroup.mediaSelectionOptions(
        from: legible.options, withMediaCharacteristics: [.legible, characteristic]
      ).map(\.extendedLanguageTag)
    }
    #expect(chosen(.transcribesSpokenDialogForAccessibility) == ["en"])
    #expect(chosen(.describesMusicAndSoundForAccessibility) == ["en"])
    #expect(chosen(.containsOnlyForcedSubtitles) == ["fr"])
    let names = legible.options.map { $0.displayName(with: Locale(identifier: "en")) }
    #expect(names == ["English (SDH)", "French (Forced)", "German"])
    // Foreign speech is shown unless somebody says no.
    #expect(legible.defaultOption == legible.options[1])
  }

  @Test func captionsAreAnOption() async throws {
    let legible = try #require(try await asset("captions.mov").loadMediaSelectionGroup(for: .legible))
    #expect(legible.options.map(\.mediaType) == [.closedCaption])
    #expect(legible.options.first?.displayName(with: Locale(identifier: "en")) == "Track 1 (CC)")
    #expect(legible.defaultOption == nil)
  }

  @Test func mutableItemsAreMadeByIdentifierOrByKey() {
    let item = AVMutableMetadataItem()
    item.identifier = .quickTimeMetadataMake
    item.value = "Acme" as NSString
    #expect(item.keySpace == .quickTimeMetadata)
    #expect(item.commonKey == .commonKeyMake)
    let other = AVMutableMetadataItem()
    other.keySpace = .id3
    other.key = "TIT2" as NSString
    other.value = "7" as NSString
    #expect(other.identifier == .id3MetadataTitleDescription)
    #expect(other.numberValue == 7)
    #expect((other.copy() as? AVMetadataItem)?.commonKey == .commonKeyTitle)
    let dated = AVMutableMetadataItem()
    dated.value = "2024-02-03T04:05:06Z" as NSString
    #expect(dated.dateValue?.timeIntervalSince1970 == 1_706_933_106)
    #expect(AVMetadataItem.metadataItems(from: [item, other], withKey: nil, keySpace: .id3) == [other])
  }
}
