import AVFoundation
import MediaRuntime
import MediaTestSupport
import Testing

/// What subtitles say, when, to an app: on real files.
@Suite struct LegibleOutputTests {
  private func at(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 600) }

  private func near(_ value: Double, _ wanted: Double) -> Bool { abs(value - wanted) < 0.003 }

  /// The delegate hears of each change once, at its time, and of every end with an empty list.
  private func expectCues(
    _ recorder: LegibleRecorder, _ wanted: [(Double, [String])], location: SourceLocation = #_sourceLocation
  ) {
    let entries = recorder.entries
    #expect(entries.map(\.texts) == wanted.map(\.1), sourceLocation: location)
    for (entry, wish) in zip(entries, wanted) {
      #expect(near(entry.itemTime, wish.0) && near(entry.told, wish.0), "\(entry)", sourceLocation: location)
    }
  }

  @Test(
    "Every cue is told at its time, and its end",
    arguments: [
      ("subtitles.mkv", 0, "Hello", "[door]"), ("subtitles.mkv", 1, "Bonjour", "deux"),
      ("subtitles.mp4", 0, "Hello you", "World"), ("languages.mkv", 1, "Bonjour", "Bonjour 2"),
    ])
  func cues(file: String, option: Int, first: String, second: String) async throws {
    try await Stage.run(.real, file: file) { stage in
      let (player, _, _, recorder) = try await stage.legible(option)
      player.play()
      await stage.until("six seconds") { player.currentTime() > self.at(6) }
      // Its sound begins 7 ms before its picture and its text.
      let late = file == "languages.mkv" ? 0.007 : 0
      self.expectCues(recorder, [(1 + late, [first]), (2 + late, []), (3 + late, [second]), (5 + late, [])])
    }
  }

  @Test func overlappingCuesComeTogether() async throws {
    try await Stage.run(.real, file: "subtitles.mkv") { stage in
      let (player, _, _, recorder) = try await stage.legible(2)
      player.play()
      await stage.until("six seconds") { player.currentTime() > self.at(6) }
      self.expectCues(
        recorder, [(1, ["Hallo, Welt"]), (1.5, ["Hallo, Welt", "EXIT"]), (2, ["EXIT"]), (5, [])])
    }
  }

  @Test func captionsAndPicturesPlayToo() async throws {
    try await Stage.run(.real, file: "captions.mov") { stage in
      let (player, _, _, recorder) = try await stage.legible(0)
      player.play()
      await stage.until("six seconds") { player.currentTime() > self.at(6) }
      let texts = recorder.texts.map { $0.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } }
      #expect(texts == [["HELLO"], ["WORLD"], []])
    }
    // Pictures have no text: nothing is told that an app could show.
    try await Stage.run(.real, file: "pictures.mkv") { stage in
      let (player, _, _, recorder) = try await stage.legible(0)
      player.play()
      await stage.until("four seconds") { player.currentTime() > self.at(4) }
      #expect(recorder.texts.allSatisfy { $0.isEmpty })
    }
  }

  @Test func attributesSayHowTextLooks() async throws {
    try await Stage.run(.real, file: "subtitles.mkv") { stage in
      let (player, item, output, recorder) = try await stage.legible(1)
      output.textStylingResolution = .sourceAndRulesOnly
      player.play()
      await stage.until("a cue") { recorder.entries.count == 1 }
      let look = try #require(recorder.entries[0].attributes.first)
      #expect(look[kCMTextMarkupAttribute_BoldStyle as String] != nil)
      #expect(look[kCMTextMarkupAttribute_Alignment as String] == kCMTextMarkupAlignmentType_Left as String)
      #expect(look[kCMTextMarkupAttribute_ForegroundColorARGB as String] == nil)
      output.textStylingResolution = .default
      recorder.forget()
      try await stage.select(0, item)
      await stage.until("the other language") { recorder.texts.last == ["Hello"] }
      let other = try #require(recorder.entries.last?.attributes.first)
      #expect(other[kCMTextMarkupAttribute_ItalicStyle as String] != nil)
      #expect(other[kCMTextMarkupAttribute_ForegroundColorARGB as String] != nil)
    }
  }

  @Test(
    "P097: a seek into a cue shows it, one out of it takes it away", arguments: ["subtitles.mkv", "subtitles.mp4"])
  func seeks(file: String) async throws {
    try await Stage.run(.real, file: file) { stage in
      let (player, item, _, recorder) = try await stage.legible(0)
      let second = file == "subtitles.mkv" ? "[door]" : "World"
      for (time, shown) in [(4.9, [second]), (8, []), (3, [second]), (2, []), (4.5, [second]), (0, [])] {
        recorder.forget()
        let flushes = recorder.flushes
        #expect(await item.seek(to: self.at(time), toleranceBefore: .zero, toleranceAfter: .zero))
        await stage.sleep(300)
        #expect(recorder.texts.last ?? [] == shown, "at \(time)")
        #expect(recorder.flushes > flushes || recorder.entries.count <= 1)
      }
      player.play()
      await stage.until("six seconds") { player.currentTime() > self.at(6) }
      #expect(recorder.texts.last == [])
    }
  }

  @Test func aLanguageChosenInTheMiddleShowsWhatHasBegun() async throws {
    try await Stage.run(.real, file: "languages.mkv") { stage in
      let (player, item, _, recorder) = try await stage.legible(nil)
      player.play()
      await stage.until("three and a half seconds") { player.currentTime() > self.at(3.5) }
      #expect(recorder.entries.isEmpty)
      try await stage.select(0, item)
      await stage.sleep(100)
      #expect(recorder.texts == [["Hello 2"]])
      try await stage.select(1, item)
      await stage.sleep(100)
      #expect(recorder.texts.last == ["Bonjour 2"])
      try await stage.select(nil, item)
      await stage.sleep(100)
      #expect(recorder.texts.last == [])
    }
  }

  @Test func toldAheadOfItsTime_whileRatesChange() async throws {
    try await Stage.run(.real, file: "subtitles.mkv") { stage in
      let (player, _, output, recorder) = try await stage.legible(0)
      output.advanceIntervalForDelegateInvocation = 0.25
      player.rate = 2
      await stage.until("six seconds") { player.currentTime() > self.at(6) }
      #expect(recorder.texts == [["Hello"], [], ["[door]"], []])
      for (entry, wanted) in zip(recorder.entries, [1.0, 2, 3, 5]) {
        #expect(self.near(entry.itemTime, wanted), "\(entry)")
        #expect(abs(entry.told - (wanted - 0.5)) < 0.01, "\(entry)")
      }
    }
  }

  @Test func aDelayMovesAllCues_alsoInTheMiddle() async throws {
    try await Stage.run(.real, file: "subtitles.mkv") { stage in
      let (player, item, _, recorder) = try await stage.legible(0)
      item.subtitleDelay = self.at(0.5)
      player.play()
      await stage.until("three and a quarter") { player.currentTime() > self.at(3.25) }
      self.expectCues(recorder, [(1.5, ["Hello"]), (2.5, [])])
      item.subtitleDelay = .zero
      await stage.sleep(20)
      #expect(recorder.texts.last == ["[door]"])
      item.subtitleDelay = self.at(-1)
      await stage.until("five seconds") { player.currentTime() > self.at(5) }
      #expect(self.near(recorder.entries.last?.told ?? 0, 4))
      item.subtitleDelay = .indefinite
      #expect(item.subtitleDelay == .zero)
    }
  }

  @Test func backwardTheSameCuesComeInReverse() async throws {
    try await Stage.run(.real, file: "subtitles.mkv") { stage in
      let (player, item, _, recorder) = try await stage.legible(0)
      #expect(await item.seek(to: self.at(6), toleranceBefore: .zero, toleranceAfter: .zero))
      recorder.forget()
      player.rate = -1
      await stage.until("the start") { player.currentTime() < self.at(0.5) }
      #expect(recorder.texts == [["[door]"], [], ["Hello"], []])
      for (entry, wanted) in zip(recorder.entries, [5.0, 3, 2, 1]) {
        #expect(abs(entry.told - wanted) < 0.01, "\(entry)")
      }
    }
  }

  @Test func anOutputThatLeavesShowsNothingMore() async throws {
    try await Stage.run(.real, file: "subtitles.mkv") { stage in
      let (player, item, output, recorder) = try await stage.legible(0)
      player.play()
      await stage.until("a cue") { recorder.entries.count == 1 }
      item.remove(output)
      await stage.sleep(20)
      #expect(recorder.texts == [["Hello"], []])
      await stage.until("six seconds") { player.currentTime() > self.at(6) }
      #expect(recorder.entries.count == 2)
      // Another output later begins with what is shown then.
      #expect(await item.seek(to: self.at(3.5), toleranceBefore: .zero, toleranceAfter: .zero))
      recorder.forget()
      item.add(output)
      await stage.sleep(50)
      #expect(recorder.texts == [["[door]"]])
      player.replaceCurrentItem(with: nil)
      await stage.sleep(50)
      #expect(recorder.texts.last == [])
    }
  }
}
