import Glibc

/// What must be in order before the first thread is made.
enum ProcessStart {
  /// More than a player uses; larger tables would only take time.
  private static let wanted: rlim_t = 4_096
  /// As many as are looked at.
  private static let looked: rlim_t = 256

  /// Standard descriptors, signals and limits.
  static func prepare() {
    // A file that may grow no more is a failed write like others.
    signal(SIGXFSZ, SIG_IGN)
    fillStandardDescriptors()
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, wanted) else { return }
    limit.rlim_cur = min(limit.rlim_max, wanted)
    setrlimit(files, &limit)
  }

  /// Whether so many descriptors are free: a library that finds none for its queue can only trap.
  static func hasDescriptors(_ count: Int) -> Bool {
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return true }
    var asked = (0..<Int32(min(limit.rlim_cur, looked))).map { pollfd(fd: $0, events: 0, revents: 0) }
    guard poll(&asked, nfds_t(asked.count), 0) >= 0 else { return true }
    return asked.count { $0.revents & Int16(POLLNVAL) != 0 } >= count
  }

  private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

  /// What is opened later must not become standard output. Reading from or writing to the ones that were closed fails
  /// as before.
  private static func fillStandardDescriptors() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
