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
  private func piped(_ url: URL) throws -> FileSource {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
    #expect(mkfifo(path, 0o600) == 0)
    let bytes = [UInt8](try Data(contentsOf: url))
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

  @Test(arguments: ["minute.mp3", "tone.wav", "tone.flac", "cues.mkv"])
  func whatIsCutOffIsMissedAtTheEnd(name: String) throws {
    let bytes = try Data(contentsOf: try Fixture.url(name))
    let cut = FileManager.default.temporaryDirectory.appendingPathComponent("cut-\(UUID().uuidString)-\(name)")
    try bytes.prefix(bytes.count * 6 / 10).write(to: cut)
    defer { try? FileManager.default.removeItem(at: cut) }
    for (url, isCut) in [(cut, true), (try Fixture.url(name), false)] {
      let source = try piped(url)
      defer { source.close() }
      let media = try decodeEverything(source, hints: SourceHints(pathExtension: url.pathExtension))
      #expect(media.description.isCutShort == isCut)
      #expect(media.readError == nil)
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
