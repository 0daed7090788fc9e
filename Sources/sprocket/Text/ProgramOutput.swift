import AudioOutput
import Glibc

/// Standard output and error. What can't be written ends the program with a code that says so.
enum ProgramOutput {
  static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else {
        failed(errno)
      }
    }
  }

  /// Returns when another try may help.
  private static func failed(_ code: Int32) {
    switch code {
    case EINTR: return
    case EAGAIN:
      var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      poll(&output, 1, -1)
    case EPIPE where !ignoresPipes: endByPipe()
    default:
      fail("The output can't be written (\(String(cString: strerror(code)))). \(advice(code))")
    }
  }

  static func advice(_ code: Int32) -> String {
    switch code {
    case EBADF, EINVAL: "Standard output is closed: open it, or send it to /dev/null."
    case EPIPE, ECONNRESET: "What read it has ended: run it again, or write into a file."
    case ENOSPC, EDQUOT: "Free some space, or write elsewhere."
    case EFBIG: "Files may not grow so large here: raise the limit (ulimit -f), or write elsewhere."
    case EIO: "Check the disk, or the terminal if that has been closed."
    default: "Write elsewhere."
    }
  }

  /// Whoever started the program wants no signal.
  private static var ignoresPipes: Bool {
    var action = sigaction()
    return sigaction(SIGPIPE, nil, &action) == 0
      && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// What read the output has ended: so does this program, as others do. What was heard goes into its file first.
  private static func endByPipe() -> Never {
    _ = OpenCaptures.settle()
    signal(SIGPIPE, SIG_DFL)
    var pipes = sigset_t()
    sigemptyset(&pipes)
    sigaddset(&pipes, SIGPIPE)
    pthread_sigmask(SIG_UNBLOCK, &pipes, nil)
    raise(SIGPIPE)
    _exit(128 + SIGPIPE)
  }

  static func fail(_ message: String) -> Never {
    tell("sprocket: \(message)\n")
    exit(ExitCode.outputFailed.rawValue)
  }

  /// On standard error; nobody is left to hear that this failed.
  static func tell(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }
}
