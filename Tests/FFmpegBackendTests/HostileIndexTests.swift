import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Indexes that promise what no file could hold are refused before anything is made of them.
@Suite struct HostileIndexTests {
  private func opened(_ bytes: [UInt8], _ name: String = "mp4") -> MediaError? {
    do throws(MediaError) {
      _ = try decodeEverything(MemorySource(Data(bytes)), hints: SourceHints(pathExtension: name))
      return nil
    } catch { return error }
  }

  private func replace(_ type: String, _ bytes: inout [UInt8], skipping: Int, with new: [UInt8]) throws {
    let code = Array(type.utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: code) }) + 4 + skipping
    bytes.replaceSubrange(place..<place + new.count, with: new)
  }

  @Test func aHundredMillionSamplesOfOneSizeAreRefused() throws {
    var bytes = [UInt8](try Data(contentsOf: try Fixture.url("video-only.mp4")))
    // One size for all, and 10⁸ of them; all in the first chunk.
    try replace("stsz", &bytes, skipping: 4, with: [0, 0, 0, 100, 0x05, 0xF5, 0xE1, 0x00])
    let error = opened(bytes)
    #expect(error?.code == .containerDamaged)
  }

  @Test func aRunOfAHundredMillionBareSamplesIsRefused() throws {
    var bytes = [UInt8](try Data(contentsOf: try Fixture.url("fragmented.mp4")))
    // No field for a sample, and 10⁸ of them.
    try replace("trun", &bytes, skipping: 0, with: [0, 0, 0, 1, 0x05, 0xF5, 0xE1, 0x00])
    let error = opened(bytes)
    #expect(error?.code == .containerDamaged)
  }
}
