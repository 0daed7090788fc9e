import Foundation
import MediaTestSupport
import Testing

/// Long queues and loops, each in a process of its own on virtual time (`QueueRun` of `TraceProbe`).
@Suite struct LongQueueTests {
  @Test func twoHundredItems_eachEndsOnceAndInOrder() throws {
    try LongRun.queue(of: 200)
  }

  @Test func aMinuteOfLoops_hasSixtyEnds() throws {
    try LongRun.loop(seconds: 60)
  }
}

/// `./run soak queue`.
@Suite("Long queue", .enabled(if: ProcessInfo.processInfo.environment["SPROCKET_SOAK"] == "queue"))
struct QueueSoak {
  @Test func tenThousandItems() throws { try LongRun.queue(of: 10_000) }
}

/// `./run soak looper`.
@Suite("Long loop", .enabled(if: ProcessInfo.processInfo.environment["SPROCKET_SOAK"] == "looper"))
struct LooperSoak {
  @Test func anHour() throws { try LongRun.loop(seconds: 3_600) }
}

private enum LongRun {
  static func queue(of count: Int) throws {
    let lines = try lines(["queue", Fixture.url("half-second.mp4").path, "\(count)"])
    try #require(lines.count == 4, "\(lines)")
    #expect(lines[3] == "ends \(count) disorder 0 left 0")
    // Items that were played are gone: less is held in the end than after a tenth of them.
    expectNoGrowth(lines[1], lines[2], by: 0)
  }

  static func loop(seconds: Int) throws {
    let lines = try lines(["loop", Fixture.url("one-second.mp4").path, "\(seconds)"])
    try #require(lines.count == 3, "\(lines)")
    #expect(lines[2] == "ends \(seconds) loops \(seconds) milliseconds 500")
    expectNoGrowth(lines[0], lines[1], by: 500_000)
  }

  private static func expectNoGrowth(_ early: String, _ late: String, by bytes: Int) {
    let figures = [early, late].compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    guard figures.count == 2 else {
      Issue.record("There are no figures in “\(early)” and “\(late)”.")
      return
    }
    #expect(figures[1] <= figures[0] + bytes, "\(early), then \(late)")
  }

  private static func lines(_ arguments: [String]) throws -> [String] {
    let result = try #require(try ProcessRunner("TraceProbe").run(1, arguments: arguments).first)
    #expect(result.exitCode == 0, "\(result.errors.suffix(2_000))")
    return result.output.split(separator: "\n").map(String.init)
  }
}
