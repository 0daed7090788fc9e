import Foundation
import MediaTestSupport
import Testing

/// Memory as the kernel counts it, in processes of their own.
@Suite(.serialized) struct MemoryTests {
  /// A sanitizer's own memory is counted with the program's, and what is freed stays there for a while.
  private static var countsMemory: Bool {
    #if SPROCKET_SANITIZER
      false
    #else
      true
    #endif
  }

  private func figures(_ arguments: [String]) throws -> [String: [Int]] {
    let result = try #require(try ProcessRunner("TraceProbe").run(1, arguments: arguments).first)
    #expect(result.exitCode == 0, "\(result.errors.suffix(2_000))")
    var figures: [String: [Int]] = [:]
    for line in result.output.split(separator: "\n") {
      let words = line.split(separator: " ")
      for (name, value) in zip(words, words.dropFirst()) {
        if let value = Int(value) { figures[String(name), default: []].append(value) }
      }
    }
    return figures
  }

  private func sparse(_ movie: SparseMovie, _ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString).mov")
    defer { try? FileManager.default.removeItem(at: url) }
    try movie.write(to: url)
    try body(url)
  }

  @Test("All pictures before all sound, 500 MB apart, play without a stall within 250 MB")
  func badlyInterleavedFilePlaysWithin250Megabytes() throws {
    try sparse(SparseMovie()) { url in
      let figures = try figures(["memory", url.path])
      #expect(figures["stalls"] == [0])
      #expect((figures["frames"]?.first ?? 0) >= 745)
      #expect((figures["loud"]?.first ?? 0) > 30 * 48_000 * 9 / 10)
      let peak = try #require(figures["peak"]?.first)
      if Self.countsMemory { #expect(peak < 250_000, "\(peak) kB") }
    }
  }

  @Test("P033: a movie of more than 4 GiB plays to its end, its sound lying beyond the 32-bit offsets")
  func movieBeyondFourGigabytesPlays() throws {
    var movie = SparseMovie()
    movie.frames = 50
    movie.gap = 5 << 30
    try sparse(movie) { url in
      let figures = try figures(["memory", url.path])
      #expect((figures["frames"]?.first ?? 0) >= 49)
      #expect((figures["loud"]?.first ?? 0) > 2 * 48_000 * 9 / 10)
    }
  }

  @Test("A group of 250 frames of 1080p plays backward within 256 MB, every frame of it")
  func longGroupsPlayBackwardWithin256Megabytes() throws {
    let figures = try figures(["backward", Fixture.url("long-gop-1080p.mp4").path, "-2"])
    #expect((figures["frames"]?.first ?? 0) >= 249)
    let peak = try #require(figures["peak"]?.first)
    if Self.countsMemory { #expect(peak < 256_000, "\(peak) kB") }
  }

  @Test("P101: after 200 cycles of opening, playing and closing, memory is that of 20 cycles")
  func cyclesDoNotGrow() throws {
    let figures = try figures(["cycles", Fixture.url("plain.mp4").path, "200"])
    let resident = try #require(figures["resident"])
    try #require(resident.count == 2)
    if Self.countsMemory { #expect(resident[1] <= resident[0] * 12 / 10, "\(resident) kB") }
    #expect(figures["alive"] == [0])
  }
}
