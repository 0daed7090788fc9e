import Foundation
import MediaDiagnosis
import MediaTestSupport
import Testing

@Suite struct CodecFaultTests {
  @Test(arguments: [
    ("avc1", "vvc1", "7.1"), ("avc1", "evc1", "libxevd"), ("mp4a", "ac-4", "no version"),
    ("mp4a", "mhm1", "no version"),
  ])
  func aCodecThatFFmpegCantDecode(old: String, new: String, help: String) throws {
    // Without `esds`, which would tell the codec by itself.
    let clip = try fixtureBytes("base.mp4")
    let bytes = old == "mp4a" ? replaced(clip, Array("esds".utf8), Array("zzzz".utf8)) : clip
    let file = try PlantedFile("film.mp4", replaced(bytes, Array(old.utf8), Array(new.utf8)))
    let diagnosis = examined(file.url)
    #expect(diagnosis.names == ["no-decoder"])
    #expect(diagnosis.findings.first?.remedy.contains(help) == true)
  }

  @Test func aCodeThatMeansNothing() throws {
    let file = try PlantedFile("film.mp4", of: "base.mp4", replacing: "avc1", by: "zzzz")
    let diagnosis = examined(file.url)
    #expect(diagnosis.names == ["codec-unknown"])
    #expect(diagnosis.findings.first?.message.contains("zzzz") == true)
  }

  @Test func overwrittenBytes() throws {
    let diagnosis = examined(try Fixture.url("damaged.mp4"))
    #expect(diagnosis.names == ["decode-errors", "decode-errors"])
    #expect(Set(diagnosis.findings.compactMap(\.track)) == [1, 2])
  }

  @Test func lostPackets() throws {
    let diagnosis = examined(try Fixture.url("lossy.ts"))
    #expect(diagnosis.names == ["damaged-packets", "decode-errors"])
  }

  @Test func samplesOfZeros() throws {
    var bytes = try fixtureBytes("plain.mp4")
    let start = try #require(places(of: Array("mdat".utf8), in: bytes).first) + 4
    let end = try #require(places(of: Array("moov".utf8), in: bytes).last) - 4
    for place in start..<end { bytes[place] = 0 }
    let file = try PlantedFile("film.mp4", bytes)
    let diagnosis = examined(file.url)
    #expect(diagnosis.names.first == "nothing-decoded")
  }

  @Test func anExaminationWithoutEnd_isEnded() throws {
    var limits = ExaminationLimits()
    limits.packets = 64
    let diagnosis = examined(try Fixture.url("base.mp4"), limits: limits)
    #expect(diagnosis.names == ["not-examined"] && diagnosis.examined == .part)
  }

  @Test(arguments: ["trunc-fast.mp4", "plain.mp4", "protected.mp4", "damaged.mp4", "silent.m4a"])
  func byTheHeaderAlone_whatIsReadLaterIsNotTold(clip: String) throws {
    let names = examined(try Fixture.url(clip), isQuick: true).names
    let expected = [
      "trunc-fast.mp4": ["truncated"], "plain.mp4": ["index-at-end"],
      "protected.mp4": ["protected", "index-at-end", "no-sound"], "damaged.mp4": [], "silent.m4a": [],
    ]
    #expect(names == expected[clip])
  }
}
