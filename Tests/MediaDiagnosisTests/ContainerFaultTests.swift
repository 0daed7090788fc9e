import Foundation
import MediaDiagnosis
import MediaTestSupport
import Testing

@Suite struct ContainerFaultTests {
  @Test(arguments: [
    "<!DOCTYPE html><html><head><title>404</title></head><body>Not found</body></html>",
    "\u{feff}\n  <HTML><body>Please sign in</body></HTML>", "{\"error\": \"token expired\"}",
    "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>",
  ])
  func aServersAnswerUnderAFilmsName(text: String) throws {
    let file = try PlantedFile("film.mp4", text: text)
    #expect(examined(file.url).names == ["web-page"])
  }

  @Test(arguments: [
    "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:4,\na.ts\n", "[playlist]\nFile1=a.mp3\nNumberOfEntries=1\n",
    "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>", "ffconcat version 1.0\nfile a.mp4\n",
  ])
  func aListUnderAFilmsName(text: String) throws {
    let file = try PlantedFile("film.mp4", text: text)
    #expect(examined(file.url).names == ["playlist"])
  }

  @Test(arguments: [[0x50, 0x4b, 3, 4, 20, 0, 0, 0], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0], Array("%PDF-1.7\n".utf8)])
  func anArchiveUnderAFilmsName(start: [UInt8]) throws {
    let file = try PlantedFile("film.mkv", start + [UInt8](repeating: 0, count: 4_000))
    #expect(examined(file.url).names == ["archive"])
  }

  @Test func bytesWithoutMeaning() throws {
    let file = try PlantedFile("film.mp4", (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7 &+ $0 >> 5) })
    #expect(examined(file.url).names == ["container-unknown"])
  }

  @Test func aMovieThatWasCutOff_tellsHowMuchThereIs() throws {
    let diagnosis = examined(try Fixture.url("trunc-fast.mp4"))
    #expect(diagnosis.names == ["truncated"])
    let whole = try fixtureBytes("base.mp4").count
    #expect(diagnosis.evidence("promisedBytes", of: .truncated) == Double(whole))
    #expect(diagnosis.evidence("bytes", of: .truncated) == Double(whole * 6 / 10))
    let missing = try #require(diagnosis.evidence("missingFrom", of: .truncated))
    #expect(missing > 5 && missing < 6.5)
    #expect(diagnosis.evidence("duration", of: .truncated) == 10)
  }

  @Test(arguments: [0.3, 0.6, 0.9, 0.99])
  func aMovieCutAnywhereBehindItsIndex(share: Double) throws {
    let file = try PlantedFile("film.mp4", cutting: "base.mp4", to: share)
    #expect(examined(file.url).names == ["truncated"])
  }

  @Test(arguments: [
    "tone.wav", "no-cues.mkv", "tone.aiff", "tone.caf", "tone.flac", "tone.wv", "tone.tta", "tone.wma", "xvid.avi",
  ])
  func otherContainersThatWereCutOff(clip: String) throws {
    let file = try PlantedFile(clip, cutting: clip, to: 0.66)
    #expect(examined(file.url).names == ["truncated"])
  }

  @Test func aMovieThatLostItsIndex() throws {
    #expect(examined(try Fixture.url("trunc-tail.mp4")).names == ["index-missing"])
  }

  @Test func aMovieCutWithinItsIndex() throws {
    let bytes = try fixtureBytes("base.mp4")
    let index = try #require(places(of: Array("moov".utf8), in: bytes).first)
    let file = try PlantedFile("film.mp4", Array(bytes.prefix(index + 600)))
    #expect(examined(file.url).names == ["truncated"])
  }

  @Test func fragmentsThatWereCutOff() throws {
    let file = try PlantedFile("film.mp4", cutting: "fragmented.mp4", to: 0.55)
    #expect(examined(file.url).names == ["truncated"])
  }

  @Test func aSegmentWithoutItsBeginning() throws {
    #expect(examined(try Fixture.url("lone-segment.m4s")).names == ["lone-segment"])
  }

  @Test func aBeginningWithoutSegments() throws {
    let bytes = try fixtureBytes("fragmented.mp4")
    let fragment = try #require(places(of: Array("moof".utf8), in: bytes).first)
    let file = try PlantedFile("init.mp4", Array(bytes.prefix(fragment - 4)))
    #expect(examined(file.url).names == ["init-only"])
  }

  @Test func anEncryptedPicture() throws {
    #expect(examined(try Fixture.url("protected.mp4")).names == ["protected", "index-at-end", "no-sound"])
  }

  @Test(arguments: ["enca", "drms"])
  func encryptedSoundAlone(entry: String) throws {
    let file = try PlantedFile("song.m4a", of: "silent.m4a", replacing: "mp4a", by: entry)
    #expect(examined(file.url).names == ["protected"])
  }

  @Test func anIndexBehindTheSamples_isANote() throws {
    let diagnosis = examined(try Fixture.url("plain.mp4"))
    #expect(diagnosis.names == ["index-at-end"] && diagnosis.verdict == .healthy)
    #expect(examined(try Fixture.url("base.mp4")).names == [])
  }

  @Test func aLargeIndex() throws {
    var bytes = try fixtureBytes("plain.mp4")
    let index = try #require(places(of: Array("moov".utf8), in: bytes).last) - 4
    let padding = 9 << 20
    let size = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
    try #require(index + size == bytes.count)
    bytes.replaceSubrange(index..<index + 4, with: bigEndian(size + padding))
    bytes += bigEndian(padding) + Array("free".utf8) + [UInt8](repeating: 0, count: padding - 8)
    let file = try PlantedFile("film.mp4", bytes)
    #expect(examined(file.url).names == ["index-at-end", "large-index"])
  }

  @Test(arguments: [
    ("tone.mp3", "a.wav"), ("tone.wav", "a.mp3"), ("base.mp4", "a.mkv"), ("no-cues.mkv", "a.mp4"),
    ("tone.flac", "a.m4a"),
    ("silent.m4a", "a.mp3"), ("no-index.ts", "a.mp4"),
  ])
  func aNameThatSaysSomethingElse(clip: String, name: String) throws {
    let file = try PlantedFile(name, try fixtureBytes(clip))
    #expect(examined(file.url).names.first == "wrong-extension")
  }

  @Test(arguments: [("base.mp4", "a.mov"), ("base.mp4", "a"), ("tone.mp3", "a.part"), ("no-cues.mkv", "a.MKV")])
  func aNameThatSaysNothingElse(clip: String, name: String) throws {
    let file = try PlantedFile(name, try fixtureBytes(clip))
    #expect(examined(file.url).verdict == .healthy)
  }

  @Test func aHeaderWithAWrongDuration() throws {
    let diagnosis = examined(try Fixture.url("wrongdur.mp4"))
    #expect(diagnosis.names == ["wrong-duration"])
    #expect(diagnosis.evidence("stated", of: .wrongDuration) == 600)
  }

  @Test func aPartOfASongThatStatesTheWhole() throws {
    #expect(examined(try Fixture.url("part.flac")).names == ["wrong-duration"])
  }

  @Test func aContainerWithADamagedMiddle() throws {
    var bytes = try fixtureBytes("no-cues.mkv")
    for place in bytes.count / 2..<bytes.count / 2 + 3_000 { bytes[place] = UInt8(truncatingIfNeeded: place &* 31) }
    let file = try PlantedFile("film.mkv", bytes)
    #expect(examined(file.url).verdict == .warnings)
  }
}

func bigEndian(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
