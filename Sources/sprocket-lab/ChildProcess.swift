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

  /// - Parameter limit: seconds until it is killed and counts as hanging.
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
    if ended.wait(timeout: .now() + limit) == .timedOut {
      hung = true
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
    }
    try out.close()
    try err.close()
    let complaint = String(decoding: try Data(contentsOf: files[1]).suffix(2_000), as: UTF8.self)
    let status = process.terminationStatus
    return ChildProcess(
      ending: hung ? .hang : process.terminationReason == .uncaughtSignal ? .signal(status) : .exit(status),
      output: try Data(contentsOf: files[0]), complaint: complaint)
  }
}
