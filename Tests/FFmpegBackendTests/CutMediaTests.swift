import CoreMedia
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Files whose download or copy did not finish: what is there plays, and that something is missing is known.
@Suite struct CutMediaTests {
  /// A header that counts bytes tells at once.
  private static let byBytes = [
    "minute.mp3", "vbr-xing.mp3", "tone.wav", "tone-96k-7.1.wav", "tone.opus", "tone.ogg", "cues.mkv",
    "vp9-hidden.webm", "xvid.avi",
  ]
  /// One that counts samples tells at the end.
  private static let bySamples = ["tone.flac", "tagged.flac"]
  /// These make no promise, or their writer could not go back to make it.
  private static let withoutPromise = [
    "no-index.ts", "no-cues.mkv", "raw.aac", "raw.h264", "vbr-noxing.mp3", "mpeg2.mpg",
  ]

  private func source(_ name: String, share: Double) throws -> MemorySource {
    let bytes = try Data(contentsOf: try Fixture.url(name))
    return MemorySource(Data(bytes.prefix(Int(Double(bytes.count) * share))))
  }

  private func hints(_ name: String, measures: Bool = false) -> SourceHints {
    SourceHints(
      pathExtension: (name as NSString).pathExtension, prefersPreciseTiming: true, measuresTiming: measures)
  }

  private func end(of media: DecodedMedia) -> Double { media.description.duration.seconds }

  @Test(arguments: byBytes + bySamples)
  func whatIsThereIsDecoded_andTheRestIsMissed(name: String) throws {
    let whole = try decodeEverything(try source(name, share: 1), hints: hints(name))
    #expect(!whole.description.isCutShort && whole.readError == nil)
    let cut = try decodeEverything(try source(name, share: 0.6), hints: hints(name))
    #expect(cut.description.isCutShort)
    #expect(cut.readError == nil)
    #expect(end(of: cut) < 0.8 * end(of: whole))
    for (track, frames) in cut.frames where frames.count > 5 {
      // The last picture may be half there.
      #expect(whole.frames[track]?.prefix(frames.count - 5) == frames.prefix(frames.count - 5))
    }
    #expect(cut.frames.values.contains { $0.count > 5 } || cut.sampleCounts.values.contains { $0 > 10_000 })
  }

  @Test(arguments: withoutPromise)
  func whereNothingIsPromised_nothingIsMissed(name: String) throws {
    for share in [0.6, 1] {
      let media = try decodeEverything(try source(name, share: share), hints: hints(name))
      #expect(!media.description.isCutShort)
    }
  }

  @Test(arguments: byBytes + bySamples)
  func theLengthIsThatOfWhatIsThere(name: String) throws {
    let backend = FFmpegMediaBackend()
    let source = try source(name, share: 0.6)
    let demuxer = backend.demuxer(source, hints: hints(name, measures: true))
    try source.open(.first)
    defer { demuxer.close() }
    _ = try demuxer.open(.first)
    let measured = try demuxer.preciseDescription(.first)
    #expect(measured.isCutShort && measured.isDurationPrecise)
    let played = try decodeEverything(try self.source(name, share: 0.6), hints: hints(name))
    #expect(abs(measured.duration.seconds - end(of: played)) < 0.1)
  }

  /// Sizes that no file has: the header is looked at without a trap, whatever it says.
  @Test func headersThatPromiseAnythingAreBorne() throws {
    var random = SeededNumbers(7)
    var isOpened = 0
    for name in Self.byBytes + Self.bySamples {
      let bytes = [UInt8](try Data(contentsOf: try Fixture.url(name)))
      for _ in 0..<40 {
        var damaged = Array(bytes.prefix(100_000))
        for _ in 0..<1 + random.below(4) {
          let at = Int(random.below(min(UInt64(damaged.count), 256)))
          let value: UInt8 = [0, 0x7f, 0x80, 0xff][Int(random.below(4))]
          for offset in at..<min(at + 8, damaged.count) { damaged[offset] = value }
        }
        let source = MemorySource(Data(damaged))
        if (try? decodeEverything(source, hints: hints(name), hashing: false, packetLimit: 20)) != nil { isOpened += 1 }
      }
    }
    #expect(isOpened > 100)
  }
}
