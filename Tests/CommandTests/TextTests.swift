import AVFoundation
import Testing

@testable import sprocket

@Suite struct TimeTextTests {
  @Test(arguments: [
    (0.0, "0:00"), (5, "0:05"), (65, "1:05"), (3723, "1:02:03"), (59.999, "0:59"), (-5, "-0:05"), (-0.01, "0:00"),
    (360_000, "100:00:00"),
  ])
  func seconds_readAsAClock(seconds: Double, expected: String) {
    #expect(TimeText.text(CMTime(seconds: seconds, preferredTimescale: 1000)) == expected)
  }

  @Test func timesThatAreNoNumber_readAsUnknown() {
    #expect(TimeText.text(.invalid) == "--:--")
    #expect(TimeText.text(.indefinite) == "--:--")
    #expect(TimeText.duration(.indefinite) == "--:--")
    #expect(TimeText.duration(.positiveInfinity) == "LIVE")
  }

  @Test(arguments: [
    ("90", 90.0), ("1:30", 90), ("1:02:03.5", 3723.5), ("0:00:05.250", 5.25), ("100:00", 6000), ("7.1", 7.1),
    ("1.2345", 1.2345), (".2", 0.2), ("7.", 7), ("1:00.1234567", 60.123456),
  ])
  func typedTimes_areRead(text: String, seconds: Double) {
    #expect(TimeText.parse(text)?.seconds == seconds)
  }

  @Test(arguments: ["", ":", "1:", "1:60", "1:2:3:4", "-5", ".", "1.2.3", "1e3", "1:60:00", "9999999999", "٣"])
  func otherTexts_areNoTimes(text: String) {
    #expect(TimeText.parse(text) == nil)
  }
}

@Suite struct StatusLineTests {
  private var line: StatusLine {
    var line = StatusLine()
    line.title = "Film"
    line.state = .playing
    line.time = CMTime(value: 30, timescale: 1)
    line.duration = CMTime(value: 60, timescale: 1)
    line.bufferedFraction = 0.75
    return line
  }

  @Test func progress_showsPlayedLoadedAndRest() {
    #expect(line.progress(width: 42) == "▶ 0:30 ━━━━━━━━━━●────┄┄┄┄┄ 1:00  vol 100%".padded(to: 42))
  }

  @Test(arguments: [0, 1, 5, 20, 40, 80, 300])
  func everyWidth_isFilledExactly(width: Int) {
    #expect(StatusLine.columns(line.progress(width: width)) == width)
    #expect(StatusLine.columns(line.heading(width: width)) == width)
  }

  @Test func unknownDuration_hasAnEmptyBar() {
    var line = line
    line.duration = .indefinite
    #expect(line.progress(width: 40).contains("───"))
    #expect(line.progress(width: 40).contains("--:--"))
  }

  @Test func wideCharacters_countTwice() {
    #expect(StatusLine.fitted("電影ab", width: 5) == "電影a")
    #expect(StatusLine.fitted("電影ab", width: 3) == "電 ")
  }

  @Test func controlCharactersInTags_cannotSteerTheTerminal() {
    #expect(StatusLine.fitted("a\u{1b}[2Jb\u{9b}c\n", width: 12) == "a [2Jb c    ")
  }

  @Test func marksThatTurnTheWritingAround_becomeBlanks() {
    #expect(StatusLine.printable("a\u{202e}b\u{2066}c\u{2028}d") == "a b c d")
  }
}

@Suite struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.decode(Array(text.utf8))
  }

  @Test func arrowsAndLetters_areKeys() {
    #expect(
      keys("q \u{1b}[A\u{1b}[B\u{1b}OC\u{1b}[D5") == [
        .character("q"), .character(" "), .up, .down, .right, .left, .character("5"),
      ])
  }

  @Test func sequencesInPieces_areOneKey() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1b]) == [])
    #expect(decoder.decode([UInt8(ascii: "[")]) == [])
    #expect(decoder.decode([UInt8(ascii: "C")]) == [.right])
  }

  @Test func loneEscape_isAKeyOnceNothingFollows() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1b]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
  }

  @Test func answersToQueries_areSwallowed() {
    #expect(keys("\u{1b}_Gi=4211;OK\u{1b}\\\u{1b}[6;20;10t\u{1b}[?62;4cq") == [.character("q")])
  }

  @Test func lateAnswers_areKeptForTheScreen() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1b}[?62;".utf8) == [])
    #expect(decoder.answers.isEmpty)
    #expect(decoder.decode("4c ".utf8) == [.character(" ")])
    #expect(decoder.answers == Array("\u{1b}[?62;4c".utf8))
  }

  @Test func endlessGarbage_isDropped() {
    var decoder = KeyDecoder()
    for _ in 0..<100 { _ = decoder.decode([0x1b, UInt8(ascii: "_")] + [UInt8](repeating: 65, count: 200)) }
    #expect(!decoder.isWaiting || decoder.flush().isEmpty)
    #expect(decoder.decode([UInt8(ascii: "q")]) == [.character("q")])
  }

  @Test func multibyteCharacters_areOneKey() {
    #expect(keys("é電") == [.character("é"), .character("電")])
  }
}

@Suite struct JSONTextTests {
  @Test func values_areWrittenWithSortedKeysAndEscapes() {
    let value = JSONValue.object([
      "b": .array([.null, .bool(true), .integer(-3), .number(1.5), .number(.nan)]), "a": .string("\"\\\n\u{1}é"),
    ])
    #expect(value.text == #"{"a":"\"\\\n\u0001é","b":[null,true,-3,1.5,null]}"#)
  }

  @Test func whatSteersATerminal_isWrittenInDigits() throws {
    let text = "\u{7f}\u{9b}2J\u{202e}é"
    #expect(JSONValue.string(text).text == #""\u007f\u009b2J\u202eé""#)
    let encoded = JSONValue.harmless("[\"\(text)\"]")
    #expect(encoded == #"["\u007f\u009b2J\u202eé"]"#)
    #expect(try JSONSerialization.jsonObject(with: Data(encoded.utf8)) as? [String] == [text])
  }
}

@Suite struct InfoTextTests {
  @Test(arguments: [
    (0, "0 kbit/s"), (999_499, "999 kbit/s"), (1_000_000, "1.0 Mbit/s"), (12_345_678, "12.3 Mbit/s"),
    (Int64.max, "9223372036854.8 Mbit/s"),
  ])
  func bitRates_ofAnySize_areText(bits: Int64, expected: String) {
    #expect(InfoText.bitRate(bits) == expected)
  }
}

@Suite struct PlayEntryTests {
  @Test(arguments: ["/a b/c.mp4", "電影#1?.mp4", "100%.mp4", "a:b.mp4"])
  func paths_areTakenAsTheyAre(path: String) {
    #expect(PlayEntry(path).url?.isFileURL == true)
    #expect(PlayEntry(path).url?.lastPathComponent == (path as NSString).lastPathComponent)
  }

  @Test func aDash_isStandardInput() {
    #expect(PlayEntry("-").url?.path == "/dev/stdin")
  }

  @Test func fileAddresses_areDecodedOnce() {
    #expect(PlayEntry("file:///tmp/a%20b%2525.mp4").url?.path == "/tmp/a b%25.mp4")
  }

  @Test(arguments: ["http://host/a.mp4", "https://host/a", "rtsp://x", ""])
  func addressesThatCannotBePlayedYet_haveASentence(address: String) {
    #expect(PlayEntry(address).url == nil)
    #expect(PlayEntry(address).problem?.isEmpty == false)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    StatusLine.fitted(self, width: width)
  }
}
