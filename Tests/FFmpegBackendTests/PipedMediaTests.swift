import CoreMedia
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Media that come through a named pipe, which can be read once and in order only.
@Suite struct PipedMediaTests {
  /// A pipe that another thread writes a file's bytes into, once somebody reads.
  private func piped(_ url: URL) throws -> FileSource { try piped([UInt8](try Data(contentsOf: url))) }

  private func piped(_ bytes: [UInt8]) throws -> FileSource {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
    #expect(mkfifo(path, 0o600) == 0)
    let writer = Thread {
      signal(SIGPIPE, SIG_IGN)
      let descriptor = open(path, O_WRONLY)
      unlink(path)
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      close(descriptor)
    }
    writer.start()
    return FileSource(path: path)
  }

  @Test(arguments: ["tone.mp3", "tone.ogg", "tone.wav", "no-index.ts", "cues.mkv", "fragmented.mp4"])
  func whatCanBePlayedInOrderIs(name: String) throws {
    let url = try Fixture.url(name)
    let truth = try decodeEverything(url)
    let source = try piped(url)
    defer { source.close() }
    let hints = SourceHints(pathExtension: url.pathExtension, prefersPreciseTiming: true)
    let media = try decodeEverything(source, hints: hints)
    #expect(media.readError == nil)
    #expect(media.damagedPackets == 0)
    #expect(!media.description.isSeekable)
    // Fragments tell their times as they come.
    #expect(name != "fragmented.mp4" || media.description.duration == .indefinite)
    #expect(media.frames == truth.frames)
    #expect(media.sampleCounts.keys == truth.sampleCounts.keys)
    // The end padding of a movie's fragments stands in their whole.
    for (track, count) in truth.sampleCounts { #expect(abs((media.sampleCounts[track] ?? 0) - count) <= 2_048) }
  }

  @Test(arguments: CutMediaTests.byBytes + CutMediaTests.bySamples)
  func whatIsCutOffIsMissedAtTheEnd(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: try Fixture.url(name)))
    for (part, isCut) in [(Array(bytes.prefix(Int(Double(bytes.count) * CutMediaTests.share))), true), (bytes, false)] {
      let source = try piped(part)
      defer { source.close() }
      let hints = SourceHints(pathExtension: (name as NSString).pathExtension)
      let media = try decodeEverything(source, hints: hints, hashing: false)
      #expect(media.description.isCutShort == isCut)
      #expect(media.readError == nil)
    }
  }

  @Test func soundBehindALargeTagIsMissedAsWell() throws {
    let size = 300_000
    let tag = Array("ID3".utf8) + [4, 0, 0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7f) }
    let file = [UInt8](try Data(contentsOf: try Fixture.url("vbr-xing.mp3")))
    try #require(file.starts(with: Array("ID3".utf8)))
    let sound = file.dropFirst(10 + file[6..<10].reduce(0) { $0 << 7 | Int($1) })
    for (part, isCut) in [(sound.prefix(sound.count / 2), true), (sound[...], false)] {
      let source = try piped(tag + [UInt8](repeating: 0, count: size) + part)
      defer { source.close() }
      let media = try decodeEverything(source, hints: SourceHints(pathExtension: "mp3"), hashing: false)
      #expect(media.description.isCutShort == isCut)
    }
  }

  /// What is wrong, and how many pictures there were until then.
  private func told(_ source: any ByteSource) -> (error: MediaError?, pictures: Int) {
    do throws(MediaError) {
      let media = try decodeEverything(source, hints: SourceHints(pathExtension: "mp4"), hashing: false)
      return (media.readError, media.frames.values.map(\.count).max() ?? 0)
    } catch {
      return (error, 0)
    }
  }

  @Test("A movie that ends too early is told of, wherever it is cut", arguments: [0.05, 0.2, 0.5, 0.97, 1])
  func aCutMovieIsAnError(share: Double) throws {
    for url in [try Fixture.film(), try Fixture.url("fragmented.mp4"), try Fixture.url("trunc-fast.mp4")] {
      let bytes = [UInt8](try Data(contentsOf: url))
      let part = Array(bytes.prefix(Int(Double(bytes.count) * share)))
      let file = told(MemorySource(Data(part)))
      let source = try piped(part)
      defer { source.close() }
      let pipe = told(source)
      #expect(pipe.error?.message == file.error?.message, "\(url.lastPathComponent)")
      #expect(pipe.error?.code == .containerTruncated || share == 1 && !url.path.contains("trunc"))
      #expect(pipe.pictures == file.pictures)
    }
  }

  @Test("The same cut has the same words, from a file and from a pipe")
  func aCutBeforeTheMediaIsTold() throws {
    let bytes = [UInt8](try Data(contentsOf: try Fixture.url("fragmented.mp4")))
    let beginnings = [
      (20, "ends before its index"), (48, "ends within its index"), (700, "ends within its index"),
      (1_200, "ends within its index"), (1_245, "ends before its media"), (1_300, "ends before its media"),
      (1_500, "ends before its media"), (2_000, "ends before its media"), (2_024, "ends before its media"),
    ]
    for (count, words) in beginnings {
      let pipe = try piped(Array(bytes.prefix(count)))
      defer { pipe.close() }
      for source in [pipe, MemorySource(Data(bytes.prefix(count)))] as [any ByteSource] {
        let message = told(source).error?.message ?? "nothing"
        #expect(message.contains(words), "\(count) of \(source.address)")
      }
    }
  }

  @Test func aPipeWithNothingInItIsEmpty() throws {
    let source = try piped([])
    defer { source.close() }
    do throws(MediaError) {
      _ = try decodeEverything(source, hints: SourceHints(pathExtension: "mp4"))
      Issue.record("it opened")
    } catch {
      #expect(error.code == .sourceEmpty)
    }
  }

  @Test func aMovieWithItsIndexBehindIsRefusedWithAReason() throws {
    let source = try piped(try Fixture.url("edit-list.mp4"))
    defer { source.close() }
    do throws(MediaError) {
      _ = try decodeEverything(source, hints: SourceHints(pathExtension: "mp4"))
      Issue.record("it opened")
    } catch {
      #expect(error.code == .containerIndexMissing)
      #expect(error.message.contains("a pipe can't go back"))
    }
  }

  @Test func aPreciseDescriptionReadsNothing() throws {
    let url = try Fixture.url("vbr-noxing.mp3")
    let source = try piped(url)
    defer { source.close() }
    try source.open(.first)
    let demuxer = FFmpegMediaBackend().demuxer(source, hints: SourceHints(prefersPreciseTiming: true))
    defer { demuxer.close() }
    _ = try demuxer.open(.first)
    _ = try demuxer.preciseDescription(.first)
    guard case .packet = try demuxer.read(.first) else {
      Issue.record("the pipe is at its end")
      return
    }
  }
}
