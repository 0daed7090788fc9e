import Glibc
import MediaRuntime

/// Standard output while something plays: a reader that does not read holds up neither playing nor its end, for what
/// can't go out at once waits on a queue of its own. What can wakes no thread.
final class LineOutput: Sendable {
  private let queue = RealScheduler.shared.queue("program output", .blocking)
  private let patience = RealScheduler.shared.queue("program output's patience", .light)
  /// Bytes that wait for the reader.
  private let waiting = Lock(0)
  /// Some hours of lines.
  private static let limit = 4 << 20

  func write(_ line: String) {
    let size = line.utf8.count + 1
    if size <= PIPE_BUF, waiting.withLock({ $0 == 0 }), canWriteAtOnce { return ProgramOutput.write(line + "\n") }
    let isTooMuch = waiting.withLock { waiting in
      waiting += size
      return waiting > Self.limit
    }
    if isTooMuch {
      ProgramOutput.fail("What reads the output takes nothing any more. Let it read, or write into a file.")
    }
    queue.post("write line") { [self] in
      ProgramOutput.write(line + "\n")
      waiting.withLock { $0 -= size }
    }
  }

  /// A pipe that is ready takes `PIPE_BUF` bytes whole (POSIX, `write`).
  private var canWriteAtOnce: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) == 1 && output.revents == Int16(POLLOUT)
  }

  /// Runs `done` on the main thread when all is written, or once at the latest after so long.
  func finish(within limit: Nanoseconds?, _ done: @escaping @MainActor @Sendable () -> Void) {
    let isDone = Flag()
    let once: @Sendable () -> Void = {
      guard isDone.raise() else { return }
      RealScheduler.shared.deliver("output is written", to: nil) { MainActor.assumeIsolated { done() } }
    }
    queue.post("all lines are written", once)
    if let limit { patience.post("output is given up", after: limit, once) }
  }

  private final class Flag: Sendable {
    private let isUp = Lock(false)

    func raise() -> Bool {
      isUp.withLock { isUp in
        defer { isUp = true }
        return !isUp
      }
    }
  }
}
