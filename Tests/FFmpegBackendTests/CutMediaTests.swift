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
  static let byBytes = [
    "minute.mp3", "vbr-xing.mp3", "tagged.mp3", "tone.wav", "tone-96k-7.1.wav", "long.wav", "tone.aiff", "tone.caf",
    "tone.au", "tone.wma", "tone.opus", "tone.ogg", "cues.mkv", "vp9-hidden.webm", "xvid.avi",
  ]
  /// One that counts samples, and a last packet that is cut, tell at the end.
  static let bySamples = ["tone.flac", "tagged.flac", "tone.tta", "tone.wv"]
  /// These make no promise, or their writer could not go back to make it.
  private static let withoutPromise = [
    "no-index.ts", "no-cues.mkv", "raw.aac", "raw.h264", "vbr-noxing.mp3", "mpeg2.mpg", "flash.flv",
  ]

  /// Where they are cut: between no blocks.
  static let share = 0.57

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
    let cut = try decodeEverything(try source(name, share: Self.share), hints: hints(name))
    #expect(cut.description.isCutShort)
    #expect(cut.readError == nil)
    #expect(end(of: cut) < 0.8 * end(of: whole))
    for (track, frames) in cut.frames where frames.count > 5 {
      // The last picture may be half there.
      #expect(whole.frames[track]?.prefix(frames.count - 5) == frames.prefix(frames.count - 5))
    }
    #expect(cut.frames.values.contains { $0.count > 5 } || cut.sampleCounts.values.contains { $0 > 10_000 })
  }

  @Test("A part that was copied out of a file is whole, whatever its header counts")
  func aCopiedPartIsWhole() throws {
    let media = try decodeEverything(try source("part.flac", share: 1), hints: hints("part.flac"))
    #expect(!media.description.isCutShort && media.readError == nil)
    let measured = try measure("part.flac", share: 1)
    #expect(!measured.isCutShort && abs(measured.duration.seconds - 2) < 0.2)
  }

  @Test("Damage in the middle is damage, although samples are missing then too")
  func damageIsNoCut() throws {
    var bytes = [UInt8](try Data(contentsOf: try Fixture.url("tone.wv")))
    let blocks = bytes.indices.filter { bytes[$0...].starts(with: Array("wvpk".utf8)) }
    let middle = try #require(blocks.first { $0 > bytes.count / 2 })
    // Nothing that looks like a block follows for as long as one is looked for.
    for at in middle..<min(middle + 4, bytes.count) { bytes[at] = 0 }
    let media = try decodeEverything(MemorySource(Data(bytes)), hints: hints("tone.wv"))
    #expect(media.readError?.code == .containerDamaged || !media.description.isCutShort)
  }

  @Test func fraunhofersHeaderCountsBytesToo() throws {
    var bytes = [UInt8](try Data(contentsOf: try Fixture.url("vbr-noxing.mp3")))
    var header = Array("VBRI".utf8) + [0, 1, 0, 0, 0, 75]
    header += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + [0, 0, 0, 10]
    bytes.replaceSubrange(36..<36 + header.count, with: header)
    let whole = try decodeEverything(MemorySource(Data(bytes)), hints: hints("a.mp3"), hashing: false)
    let cut = try decodeEverything(
      MemorySource(Data(bytes.prefix(bytes.count / 2))), hints: hints("a.mp3"), hashing: false)
    #expect(!whole.description.isCutShort && cut.description.isCutShort)
  }

  @Test("A large file that was cut off is not read through to open it, only to measure it")
  func aLargeFileIsMeasuredOnDemand() throws {
    func little(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let stated = 40 << 20
    var bytes = Array("RIFF".utf8) + little(stated + 36, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    bytes += little(1, 2) + little(2, 2) + little(48_000, 4) + little(192_000, 4) + little(4, 2) + little(16, 2)
    bytes += Array("data".utf8) + little(stated, 4)
    let data = Data(bytes + [UInt8](repeating: 0, count: 20 << 20))
    for measures in [false, true] {
      let demuxer = FFmpegMediaBackend().demuxer(MemorySource(data), hints: hints("a.wav", measures: measures))
      defer { demuxer.close() }
      #expect(try demuxer.open(.first).isCutShort)
      let description = try demuxer.preciseDescription(.first)
      #expect(description.isDurationPrecise == measures)
      if measures { #expect(abs(description.duration.seconds - Double(20 << 20) / 192_000) < 0.05) }
    }
  }

  @Test(arguments: withoutPromise)
  func whereNothingIsPromised_nothingIsMissed(name: String) throws {
    for share in [Self.share, 1] {
      let media = try decodeEverything(try source(name, share: share), hints: hints(name))
      #expect(!media.description.isCutShort)
    }
  }

  @Test(arguments: byBytes + bySamples)
  func theLengthIsThatOfWhatIsThere(name: String) throws {
    let measured = try measure(name, share: Self.share)
    #expect(measured.isCutShort && measured.isDurationPrecise)
    let played = try decodeEverything(try source(name, share: Self.share), hints: hints(name))
    let ends = measured.tracks.compactMap { track -> Double? in
      if let rate = track.audio?.sampleRate, let count = played.sampleCounts[track.index] {
        return Double(count) / Double(rate)
      }
      return played.frames[track.index]?.last.map { track.timeBase.time($0.time).seconds }
    }
    // A frame of TTA lasts a second, and one that is cut can't be decoded.
    let tolerance = name == "tone.tta" ? 1.1 : 0.2
    #expect(abs(measured.duration.seconds - (ends.max() ?? 0)) < tolerance)
  }

  private func measure(_ name: String, share: Double) throws -> MediaDescription {
    let source = try source(name, share: share)
    let demuxer = FFmpegMediaBackend().demuxer(source, hints: hints(name, measures: true))
    try source.open(.first)
    defer { demuxer.close() }
    _ = try demuxer.open(.first)
    return try demuxer.preciseDescription(.first)
  }

  @Test("A fragmented movie plays up to where it was cut, wherever that is")
  func fragmentsPlayUpToTheCut() throws {
    let bytes = try Data(contentsOf: try Fixture.url("fragmented.mp4"))
    let whole = try decodeEverything(MemorySource(bytes), hints: hints("a.mp4"))
    let boxes = try Self.topBoxes(of: bytes)
    let later = boxes.dropFirst(6)
    #expect(Set(later.map(\.type)) == ["moof", "mdat"])
    var counts: [Int] = []
    for box in later {
      for cut in [box.range.lowerBound + 8, box.range.lowerBound + box.range.count / 2, box.range.upperBound - 1] {
        let media = try decodeEverything(MemorySource(bytes.prefix(cut)), hints: hints("a.mp4"))
        #expect(media.description.isCutShort && media.readError?.code == .containerTruncated)
        var count = 0
        for (track, frames) in media.frames where frames.count > 5 {
          // The last picture may be half there.
          #expect(whole.frames[track]?.prefix(frames.count - 5) == frames.prefix(frames.count - 5))
          count += frames.count
        }
        counts.append(count)
      }
    }
    #expect(counts == counts.sorted() && (counts.first ?? 0) > 5)
  }

  @Test func theFirstFragmentMayBeCutToo() throws {
    let bytes = try Data(contentsOf: try Fixture.url("fragmented.mp4"))
    let first = try #require(try Self.topBoxes(of: bytes).first { $0.type == "moof" })
    let cut = bytes.prefix(first.range.lowerBound + first.range.count / 2)
    let media = try decodeEverything(MemorySource(cut), hints: hints("a.mp4"))
    #expect(media.description.isCutShort && media.readError?.code == .containerTruncated)
  }

  private static func topBoxes(of bytes: Data) throws -> [(type: String, range: Range<Int>)] {
    var boxes: [(type: String, range: Range<Int>)] = []
    var offset = 0
    while offset + 8 <= bytes.count {
      let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      try #require(size >= 8)
      boxes.append((String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self), offset..<offset + size))
      offset += size
    }
    return boxes
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
