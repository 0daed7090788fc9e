import AVFoundation
import MediaTestSupport
import Testing

/// Tags and covers. The numbers are those of Docs/FaultCases.md.
@Suite struct MetadataCases {
  @Test("P040: a very large cover before the sound neither delays it nor passes for a film, and is there whole")
  func soundBehindALargeCover() async throws {
    try await Stage.run(.real, file: "big-cover.mp3") { stage in
      let case40 = await stage.player(of: stage.url)
      #expect(case40.item.status == .readyToPlay && abs(case40.item.duration.seconds - 2) < 0.06)
      let asset = AVURLAsset(url: stage.url)
      #expect(try await asset.loadTracks(withMediaType: .video).isEmpty)
      let metadata = try await asset.load(.commonMetadata)
      let artwork = AVMetadataItem.metadataItems(from: metadata, filteredByIdentifier: .commonIdentifierArtwork)
      let size = try Data(contentsOf: stage.url).count
      let cover = try #require(try await artwork.first?.load(.dataValue))
      #expect(cover.count > 4_000_000 && cover.count < size && cover.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      case40.player.play()
      await stage.until("a second heard", limit: 2) { case40.player.currentTime() > seconds(1) }
      let tone = Tone(samples: stage.heard[9_600..<38_400])
      #expect(abs(tone.hertz - 440) < 1)
      #expect(await case40.seek(1.5))
      await stage.until("ended", limit: 2) { case40.record.count("ended") == 1 }
    }
  }
}
