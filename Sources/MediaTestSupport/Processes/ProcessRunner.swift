package import Foundation
import Glibc

/// Runs programs of this package in processes of their own and collects what they print.
package struct ProcessRunner: Sendable {
  package struct Result: Sendable {
    package let exitCode: Int32
    /// The signal that ended it, if one did.
    package let signal: Int32?
    package let output: String
    package let errors: String
  }

  package let executable: URL

  /// - Parameter name: a program that is built beside the tests.
  package init(_ name: String) throws {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    executable = tests.deletingLastPathComponent().appendingPathComponent(name)
    guard FileManager.default.isExecutableFile(atPath: executable.path) else {
      throw CocoaError(.executableNotLoadable, userInfo: [NSFilePathErrorKey: executable.path])
    }
  }

  package init(executable: URL) { self.executable = executable }

  /// Runs `count` processes, `width` at a time, and returns their results in the order in which they were started.
  /// - Parameters:
  ///   - width: how many run at once.
  ///   - environment: added to this process's; hashing is always seeded at random.
  package func run(
    _ count: Int, width: Int = 2, arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> [Result] {
    var results: [Result] = []
    var running: [Running] = []
    for _ in 0..<count {
      if running.count == max(width, 1) { results.append(running.removeFirst().finish()) }
      running.append(try Running(executable, arguments, environment))
    }
    return results + running.map { $0.finish() }
  }

  /// A child of this process. Spawned and waited for by hand: Foundation's `Process` and the test library's own watch
  /// over children take each other's news away.
  private struct Running {
    private let process: pid_t
    private let output: FileHandle
    private let errors: FileHandle

    /// Output goes to files, so that no process waits for its reader.
    init(_ executable: URL, _ arguments: [String], _ environment: [String: String]) throws {
      output = try Self.file()
      errors = try Self.file()
      var all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      all["SWIFT_DETERMINISTIC_HASHING"] = nil
      process = try Self.spawn(
        [executable.path] + arguments, all.map { "\($0.key)=\($0.value)" }, output.fileDescriptor,
        errors.fileDescriptor)
    }

    // Since glibc 2.34; Swift's Glibc module leaves it out.
    private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
      unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
    }

    private static func spawn(
      _ arguments: [String], _ environment: [String], _ output: Int32, _ errors: Int32
    ) throws -> pid_t {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
      // Whatever other tests have open: an end of a pipe in a stranger's hands keeps its reader waiting.
      _ = Self.closeFrom?(&actions, STDERR_FILENO + 1)
      var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
      var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
      defer { for text in argv + envp { free(text) } }
      var process = pid_t()
      let status = posix_spawn(&process, arguments[0], &actions, nil, &argv, &envp)
      guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EINVAL) }
      return process
    }

    func finish() -> Result {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      let signal = status & 0x7f
      return Result(
        exitCode: signal == 0 ? status >> 8 & 0xff : -1, signal: signal == 0 ? nil : signal,
        output: Self.text(output), errors: Self.text(errors))
    }

    private static func file() throws -> FileHandle {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString)")
      try Data().write(to: url)
      defer { try? FileManager.default.removeItem(at: url) }
      return try FileHandle(forUpdating: url)
    }

    private static func text(_ file: FileHandle) -> String {
      try? file.seek(toOffset: 0)
      return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
    }
  }
}
