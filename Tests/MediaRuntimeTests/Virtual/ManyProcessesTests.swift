import MediaTestSupport
import Testing

@Suite(.serialized) struct ManyProcessesTests {
  /// With the main thread as the driver, and with another one: the main queue is then drained or parked.
  @Test(arguments: ["engine", "thread"])
  func theSameScenarioGivesOneTraceInEveryProcess(driver: String) throws {
    let comparison = try sameTrace(
      inProcesses: traceProcessCount(everyday: 10), executable: "TraceProbe", arguments: [driver])
    #expect(comparison.isSame, "\(comparison)")
  }

  @Test func unorderedTasksGiveDifferentTraces() throws {
    let comparison = try sameTrace(inProcesses: 10, executable: "TraceProbe", arguments: ["engine", "unordered"])
    #expect(comparison.failures.isEmpty, "\(comparison)")
    #expect(comparison.traces.count > 1)
  }
}
