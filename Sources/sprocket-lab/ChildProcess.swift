import Foundation
import Glibc

/// A program run to its end or its time limit, its output in memory.
struct ChildProcess {
  enum Ending: Hashable {
    case exit(Int32)
    case signal(Int32)
    case hang
  }

  var ending: Ending
  var output: Data
  /// The last lines of what it wrote to its error output.
  var complaint: String

  /// On a busy machine a process may wait long for its turn: that is no hang.
  private static let patience = 10.0

  /// - Parameter limit: seconds of computing after which it is killed and counts as hanging; of waiting it may take
  ///   ten times as many.
  static func run(_ program: String, _ arguments: [String], limit: Double) throws -> ChildProcess {
    let folder = FileManager.default.temporaryDirectory
    let name = UUID().uuidString
    let files = ["out", "err"].map { folder.appendingPathComponent("sprocket-lab-\(name).\($0)") }
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    for file in files { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let (out, err) = (try FileHandle(forWritingTo: files[0]), try FileHandle(forWritingTo: files[1]))
    process.standardOutput = out
    process.standardError = err
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    var hung = false
    var waited = 0.0
    while ended.wait(timeout: .now() + limit / 10) == .timedOut {
      waited += limit / 10
      guard waited >= limit * patience || computed(process.processIdentifier) >= limit else { continue }
      hung = true
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
      break
    }
    try out.close()
    try err.close()
    let complaint = String(decoding: try Data(contentsOf: files[1]).suffix(2_000), as: UTF8.self)
    let status = process.terminationStatus
    return ChildProcess(
      ending: hung ? .hang : process.terminationReason == .uncaughtSignal ? .signal(status) : .exit(status),
      output: try Data(contentsOf: files[0]), complaint: complaint)
  }

  /// Seconds that all threads of a process have computed (`proc(5)`, fields 14 and 15).
  private static func computed(_ process: Int32) -> Double {
    guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let name = line.lastIndex(of: ")")
    else { return 0 }
    let fields = line[name...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
    return (user + system) / Double(max(sysconf(Int32(_SC_CLK_TCK)), 1))
  }
}
