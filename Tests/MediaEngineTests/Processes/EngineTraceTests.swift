import MediaTestSupport
import Testing

@Suite(.serialized) struct EngineTraceTests {
  @Test("Playing, seeking and stepping in six containers gives one trace in every process")
  func oneTraceInEveryProcess() throws {
    let comparison = try sameTrace(inProcesses: traceProcessCount(), executable: "TraceProbe", arguments: ["player"])
    #expect(comparison.isSame, "\(comparison)")
    let lines = try #require(comparison.traces.keys.first).split(separator: "\n")
    #expect(lines.count == 6)
  }
}
