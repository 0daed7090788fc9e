import CoreMedia
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Files that somebody writes to while they are played.
@Suite struct ChangedFileTests {
  private func file(_ bytes: Data) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("changed-\(UUID().uuidString).media")
    try bytes.write(to: url)
    return url
  }

  private struct Outcome {
    var packets = 0
    var isCutShort: Bool
    var error: MediaError?
  }

  /// Reads a file, and calls back after some packets.
  private func read(_ url: URL, after count: Int, _ change: () throws -> Void) throws -> Outcome {
    let source = FileSource(path: url.path)
    try source.open(.first)
    let demuxer = FFmpegMediaBackend().demuxer(source, hints: SourceHints())
    defer { demuxer.close() }
    var outcome = Outcome(isCutShort: try demuxer.open(.first).isCutShort)
    do throws(MediaError) {
      while true {
        switch try demuxer.read(.first) {
        case .packet:
          outcome.packets += 1
          if outcome.packets == count { try? change() }
        case .description(let description): outcome.isCutShort = description.isCutShort
        case .end: return outcome
        }
      }
    } catch {
      outcome.error = error
      return outcome
    }
  }

  /// Whatever the clock's grain is.
  private func write(_ bytes: Data, to url: URL, at offset: Int, truncating: Bool = false) throws {
    let writer = try FileHandle(forWritingTo: url)
    if truncating { try writer.truncate(atOffset: 0) }
    try writer.seek(toOffset: UInt64(offset))
    try writer.write(contentsOf: bytes)
    var times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 1_000, tv_nsec: 0)]
    #expect(futimens(writer.fileDescriptor, &times) == 0)
    try writer.close()
  }

  @Test(
    "A file that another is written over is an error, not an end",
    arguments: ["film", "cues.mkv", "minute.mp3", "no-index.ts"])
  func another(name: String) throws {
    let bytes = try Data(contentsOf: name == "film" ? try Fixture.film() : try Fixture.url(name))
    let other = try Data(contentsOf: try Fixture.url("surround-loud.flac"))
    var content = other
    while content.count < bytes.count { content += other }
    for (content, truncating) in [(content.prefix(bytes.count), false), (content + content, true)] {
      let url = try file(bytes)
      defer { try? FileManager.default.removeItem(at: url) }
      let outcome = try read(url, after: 20) { try write(content, to: url, at: 0, truncating: truncating) }
      #expect(outcome.error?.code == .sourceChanged)
    }
  }

  @Test("What lies ahead and was written over is an error where it can't be read")
  func ahead() throws {
    let bytes = try Data(contentsOf: try Fixture.url("tone.wv"))
    let url = try file(bytes)
    defer { try? FileManager.default.removeItem(at: url) }
    let rest = bytes.count - 70_000
    let outcome = try read(url, after: 1) { try write(Data(count: rest), to: url, at: 70_000) }
    #expect(outcome.error?.code == .sourceChanged)
  }

  @Test("A file that grows plays to the end it has then", arguments: ["film", "minute.mp3", "tone.wav", "cues.mkv"])
  func growing(name: String) throws {
    let bytes = try Data(contentsOf: name == "film" ? try Fixture.film() : try Fixture.url(name))
    let whole = try file(bytes)
    defer { try? FileManager.default.removeItem(at: whole) }
    let all = try read(whole, after: 0) {}
    let url = try file(bytes.prefix(bytes.count / 2))
    defer { try? FileManager.default.removeItem(at: url) }
    let outcome = try read(url, after: 20) {
      try write(bytes.suffix(from: bytes.count / 2), to: url, at: bytes.count / 2)
    }
    #expect(outcome.error == nil && !outcome.isCutShort)
    #expect(outcome.packets == all.packets)
  }

  @Test("Fragments that come later are not looked for: that is told")
  func growingFragments() throws {
    let bytes = try Data(contentsOf: try Fixture.url("fragmented.mp4"))
    let url = try file(bytes.prefix(bytes.count / 2))
    defer { try? FileManager.default.removeItem(at: url) }
    let outcome = try read(url, after: 20) {
      try write(bytes.suffix(from: bytes.count / 2), to: url, at: bytes.count / 2)
    }
    #expect(outcome.error?.code == .containerTruncated)
  }
}
