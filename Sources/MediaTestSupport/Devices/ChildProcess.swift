import Glibc
import MediaRuntime
import Synchronization

/// A program that a test starts and ends.
///
/// Not Foundation's `Process`: that one takes a daemon which closes inherited descriptors for ended, and then waits for
/// it with all others' ends unseen.
final class ChildProcess: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let pid: pid_t
  /// The reading end of the program's output.
  private let output: Int32
  private let hasEnded = Lock(false)

  /// - Parameter readsErrors: whether `read` gives standard error too.
  init(_ path: String, _ arguments: [String], environment: [String: String], readsErrors: Bool = false) throws {
    guard access(path, X_OK) == 0 else {
      throw Failure(description: "\(path) is missing: install pulseaudio and pulseaudio-utils.")
    }
    // Closed on exec from the first moment: a daemon that another test starts in between would keep the writing end
    // for its whole life, and `read` would never see this program's end.
    guard let pipe = MediaRuntime.Pipe() else { throw Failure(description: "No pipe for \(path).") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipe.writing, 1)
    if readsErrors {
      posix_spawn_file_actions_adddup2(&actions, pipe.writing, 2)
    } else {
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
    argv.append(nil)
    envp.append(nil)
    defer { for text in argv + envp { free(text) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, path, &actions, &attributes, argv, envp)
    close(pipe.writing)
    guard result == 0 else {
      close(pipe.reading)
      throw Failure(description: "\(path) does not start: \(String(cString: strerror(result))).")
    }
    self.pid = pid
    output = pipe.reading
  }

  deinit {
    signal(SIGKILL)
    wait()
    close(output)
  }

  /// The next part of the output; empty at its end.
  func read(within seconds: Int) throws -> [UInt8] {
    var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&entry, 1, Int32(seconds * 1000))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(description: "Process \(pid) has said nothing for \(seconds) s.") }
      return read()
    }
  }

  /// The same without a limit: for a thread that does nothing else.
  func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      return Array(buffer.prefix(max(count, 0)))
    }
  }

  func signal(_ number: Int32) {
    if !hasEnded.withLock({ $0 }) { kill(pid, number) }
  }

  /// Waits for the end; returns the exit code, or minus the signal that ended it.
  @discardableResult
  func wait() -> Int32 {
    guard
      hasEnded.withLock({ ended in
        defer { ended = true }
        return !ended
      })
    else { return 0 }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let number = status & 0x7f
    return number == 0 ? (status >> 8) & 0xff : -number
  }
}
