import AVFoundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// Files of subtitles beside a film: found by name, chosen as options, two at once.
@Suite struct SideFileTests {
  private func at(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 600) }

  /// A folder that goes with its last reference.
  private final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("side-\(UUID().uuidString)")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private func folder(_ files: [String: String]) throws -> Folder {
    let folder = try Folder()
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
    }
    return folder
  }

  private static let english = "1\n00:00:01,000 --> 00:00:04,000\nGood morning\n"
  private static let french = "WEBVTT\n\n00:02.000 --> 00:03.000 line:0\nBonjour\n"

  @Test func namesSayLanguageAndRole() {
    func name(_ text: String) -> SideFileName { SideFileName(URL(fileURLWithPath: "/films/\(text)")) }
    #expect(name("Film.srt").languageTag == nil && name("Film.srt").title == "Film.srt")
    #expect(name("Film.en.srt").languageTag == "en" && name("Film.en.srt").title == nil)
    #expect(name("Film.pt-BR.forced.srt").languageTag == "pt-BR")
    #expect(name("Film.pt-BR.forced.srt").characteristics == [.forced])
    #expect(name("Film.ger.sdh.ass").languageCode == "deu")
    #expect(name("Film.ger.sdh.ass").characteristics == [.hearingImpaired, .captions])
    #expect(name("The.Big.Film.srt").stem == "The.Big.Film")
    #expect(name("Film.xyzzy.srt").languageTag == nil)
    #expect(name(".srt").stem == ".srt" || name(".srt").stem.isEmpty)
  }

  @Test func onlyFilesOfTheFilmAreFound() throws {
    let folder = try folder([
      "Film.mkv": "", "Film.srt": "", "Film.en.srt": "", "Film.fr.forced.vtt": "", "Film 2.srt": "", "Film.txt": "",
      "Film.extended.cut.srt": "", "Film.de.ASS": "",
    ])
    let found = AVURLAsset.subtitleFiles(besideMediaAt: folder.url.appendingPathComponent("Film.mkv"))
    #expect(
      found.map(\.lastPathComponent) == ["Film.de.ASS", "Film.en.srt", "Film.fr.forced.vtt", "Film.srt"])
    #expect(AVURLAsset.subtitleFiles(besideMediaAt: URL(fileURLWithPath: "/nowhere/film.mkv")).isEmpty)
    let remote = try #require(URL(string: "https://example.org/film.mkv"))
    #expect(AVURLAsset.subtitleFiles(besideMediaAt: remote).isEmpty)
  }

  @Test func sideFilesAreOptionsAndPlay_twoAtOnce() async throws {
    let folder = try folder(["Film.en.srt": Self.english, "Film.fr.vtt": Self.french])
    let files = ["Film.en.srt", "Film.fr.vtt"].map { folder.url.appendingPathComponent($0) }
    try await Stage.run(.real, file: "subtitles.mp4") { stage in
      let asset = AVURLAsset(url: stage.url, options: [AVURLAssetSubtitleFilesKey: files])
      let item = AVPlayerItem(asset: asset)
      let player = AVPlayer(playerItem: item)
      let recorder = LegibleRecorder(player)
      let output = AVPlayerItemLegibleOutput()
      output.setDelegate(recorder, queue: nil)
      item.add(output)
      let all = SubtitleOutput()
      let shown = Lock<[String]>([])
      var handlers = SubtitleOutput.Handlers()
      handlers.onChange = { now, _ in
        let line = now.layers.map { "\($0.place) " + $0.cues.map { $0.text?.string ?? "" }.joined(separator: "/") }
        shown.withLock { $0.append(line.joined(separator: " | ")) }
      }
      all.setHandlers(handlers)
      item.core.addOutput(all)
      await stage.until("ready") { item.status == .readyToPlay }
      let group = try #require(try await stage.legibleGroup(item))
      #expect(group.options.map { $0.extendedLanguageTag ?? "" } == ["en", "en", "fr"])
      #expect(group.options[2].mediaSubTypes == [NSNumber(value: kCMSubtitleFormatType_WebVTT)])
      item.select(group.options[1], in: group)
      item.secondaryLegibleOption = group.options[2]
      #expect(item.secondaryLegibleOption == group.options[2])
      player.play()
      await stage.until("five seconds") { player.currentTime() > self.at(5) }
      #expect(recorder.texts == [["Good morning"], []])
      #expect(
        shown.withLock { $0 } == [
          "own Good morning", "own Good morning | top Bonjour", "own Good morning", "",
        ])
    }
  }

  @Test("P097: after a seek, a side file in an old encoding shows all that has begun and lasts")
  func seekWithOverlappingCues() async throws {
    // "привет" and "мир" in Windows-1251.
    var bytes = Data("1\r\n00:00:01,000 --> 00:00:09,000\r\n".utf8) + [0xEF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
    bytes += Data("\r\n\r\n2\r\n00:00:02,500 --> 00:00:03,500\r\n".utf8) + [0xEC, 0xE8, 0xF0] + Data("\r\n".utf8)
    let folder = try folder([:])
    let file = folder.url.appendingPathComponent("Film.ru.srt")
    try bytes.write(to: file)
    try await Stage.run(.real, file: "base.mp4") { stage in
      let item = AVPlayerItem(asset: AVURLAsset(url: stage.url, options: [AVURLAssetSubtitleFilesKey: [file]]))
      let player = AVPlayer(playerItem: item)
      let recorder = LegibleRecorder(player)
      let output = AVPlayerItemLegibleOutput()
      output.setDelegate(recorder, queue: nil)
      item.add(output)
      await stage.until("ready") { item.status == .readyToPlay }
      try await stage.select(0, item)
      for (time, shown) in [(3.0, ["привет", "мир"]), (8, ["привет"]), (0, []), (2.6, ["привет", "мир"])] {
        #expect(await item.seek(to: self.at(time), toleranceBefore: .zero, toleranceAfter: .zero))
        await stage.sleep(100)
        #expect(recorder.texts.last ?? [] == shown, "at \(time)")
      }
    }
  }

  @Test func aSideFileThatIsNoneShowsNothing_andHarmsNothing() async throws {
    let folder = try folder(["Film.srt": "no subtitles at all"])
    let files = [folder.url.appendingPathComponent("Film.srt"), folder.url.appendingPathComponent("gone.srt")]
    try await Stage.run(.real, file: "plain.mp4") { stage in
      let item = AVPlayerItem(asset: AVURLAsset(url: stage.url, options: [AVURLAssetSubtitleFilesKey: files]))
      let player = AVPlayer(playerItem: item)
      await stage.until("ready") { item.status == .readyToPlay }
      for choice in 0..<2 {
        try await stage.select(choice, item)
        player.play()
        await stage.sleep(300)
        #expect(player.timeControlStatus == .playing && item.error == nil)
      }
    }
  }
}
