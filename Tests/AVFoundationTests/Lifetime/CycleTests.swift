import MediaTestSupport
import Testing

/// Creating, playing and dropping leaves nothing behind, whatever the player was at: on the real engine, in a process of
/// its own whose main thread serves the main queue. The cycles themselves are `CycleRun` of `TraceProbe`.
@Suite struct CycleTests {
  @Test("500 players, dropped in every phase, leave memory, threads and descriptors as they were")
  func droppedPlayersLeaveNothingBehind() throws {
    // Without the allocator's caches per thread, whose content counts as used.
    let environment = ["SPROCKET_AUDIO": "null", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"]
    let result = try #require(
      try ProcessRunner("TraceProbe").run(1, arguments: ["players", "50"], environment: environment).first)
    #expect(result.exitCode == 0, "\(result.errors.suffix(2_000))")
    let lines = result.output.split(separator: "\n").map { Figures($0) }
    try #require(lines.count == 4, "\(result.output)")
    let (before, between, after, left) = (lines[0], lines[1], lines[2], lines[3])
    #expect(left["alive"] == 0)
    #expect(left["items"] == 0)
    #expect(after["descriptors"] == before["descriptors"])
    #expect(after["threads"] == before["threads"])
    // What each player leaves shows in both halves, another worker's caches in one of them.
    let first = try #require(between["bytes"]) - #require(before["bytes"])
    let second = try #require(after["bytes"]) - #require(between["bytes"])
    // 100 bytes a cycle: the smallest object that each player leaves behind is as much.
    #expect(min(first, second) < 25_000, "\(result.output)")
  }
}

/// Names and numbers of a line.
private struct Figures {
  private let figures: [String: Int]

  init(_ line: Substring) {
    let words = line.split(separator: " ")
    figures = Dictionary(
      zip(words, words.dropFirst()).compactMap { name, value in Int(value).map { (String(name), $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> Int? { figures[name] }
}
