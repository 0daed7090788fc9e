import Foundation

/// What many processes made of the same virtual run.
package struct TraceComparison: Sendable, CustomStringConvertible {
  /// How many processes printed each trace.
  package let traces: [String: Int]
  /// Processes that failed, with what they said.
  package let failures: [ProcessRunner.Result]

  package var isSame: Bool { traces.count == 1 && failures.isEmpty }

  package var description: String {
    var text = "\(traces.count) distinct trace(s) in \(traces.values.reduce(0, +)) processes"
    for (trace, count) in traces.sorted(by: { $0.value > $1.value }) { text += "\n  \(count) × \(trace)" }
    for failure in failures.prefix(3) { text += "\n  failed with \(failure.exitCode): \(failure.errors.suffix(2000))" }
    return text
  }
}

/// Runs a program that prints its trace's hash (or the whole trace) in many processes, each with its own hash seed.
///
///     let comparison = try sameTrace(inProcesses: traceProcessCount, executable: "TraceProbe", arguments: ["engine"])
///     #expect(comparison.isSame, "\(comparison)")
package func sameTrace(
  inProcesses count: Int, executable: String, arguments: [String] = [], environment: [String: String] = [:],
  width: Int = 2
) throws -> TraceComparison {
  let results = try ProcessRunner(executable).run(count, width: width, arguments: arguments, environment: environment)
  var traces: [String: Int] = [:]
  for result in results where result.exitCode == 0 && result.signal == nil && !result.output.isEmpty {
    traces[result.output.trimmingCharacters(in: .whitespacesAndNewlines), default: 0] += 1
  }
  return TraceComparison(
    traces: traces, failures: results.filter { $0.exitCode != 0 || $0.signal != nil || $0.output.isEmpty })
}

/// Processes per scenario: `SPROCKET_PROCESSES`, 300 in `./run soak trace`, or the few of everyday runs.
package func traceProcessCount(everyday: Int = 20) -> Int {
  let environment = ProcessInfo.processInfo.environment
  let usual = environment["SPROCKET_SOAK"] == "trace" ? 300 : everyday
  return environment["SPROCKET_PROCESSES"].flatMap { Int($0) } ?? usual
}
