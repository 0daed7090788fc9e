package import Foundation
import Glibc

/// A program of this package in a terminal of its own: a pseudo-terminal whose other side the test holds.
///
/// It answers the question for the terminal's attributes as a plain terminal does. Times are real: for `DeviceTests`.
package final class TerminalProcess {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package enum Ending: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  /// All that the program has written so far.
  package private(set) var output: [UInt8] = []
  private let master: Int32
  /// Kept open, so that the terminal's settings can be read after the program's end.
  private let slave: Int32
  private let process: pid_t
  private var ending: Ending?
  private var answered = 0
  private let answer: [UInt8]
  private let answersLate: Bool

  // TIOCSPTLCK and TIOCGPTN of the kernel's ioctl_tty: Swift's Glibc module has no posix_openpt.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// - Parameters:
  ///   - answer: what the terminal answers to the question for its primary attributes (`ESC [ c`).
  ///   - answersLate: the answer only comes when `answerNow` is called.
  package init(
    _ executable: URL, _ arguments: [String], environment: [String: String] = [:], columns: UInt16 = 80,
    rows: UInt16 = 24, answer: String = "\u{1b}[?62;22c", answersLate: Bool = false
  ) throws {
    self.answersLate = answersLate
    self.answer = Array(answer.utf8)
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: Int32 = 0
    var number: Int32 = -1
    guard master >= 0, ioctl(master, Self.setLock, &locked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
      throw Failure(description: "There is no pseudo-terminal: \(String(cString: strerror(errno))).")
    }
    let name = "/dev/pts/\(number)"
    slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)

    var all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    all["TERM"] = environment["TERM"] ?? "xterm-256color"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a session's leader opens becomes its own.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(0x80))
    var argv: [UnsafeMutablePointer<CChar>?] = ([executable.path] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var pid = pid_t()
    let status = posix_spawn(&pid, executable.path, &actions, &attributes, &argv, &envp)
    process = pid
    guard status == 0 else { throw Failure(description: "\(executable.path): \(String(cString: strerror(status)))") }
  }

  deinit {
    if ending == nil {
      kill(process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
    close(master)
    close(slave)
  }

  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  package func signal(_ number: Int32) { kill(process, number) }

  package func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Reads until the text came after what was there before.
  /// - Returns: what came up to and with it.
  /// - Throws: `Failure` when the program is silent for ten seconds or ends before.
  @discardableResult
  package func until(_ text: String) throws -> String {
    let wanted = Array(text.utf8)
    let begin = read
    var looked = read
    while true {
      if let range = Self.range(of: wanted, in: output, from: looked) {
        read = range.upperBound
        return String(decoding: output[begin..<read], as: UTF8.self)
      }
      looked = max(begin, output.count - wanted.count + 1)
      guard try more() else { throw Failure(description: "It ended before ‘\(text)’ came: \(rest(from: begin))") }
    }
  }

  /// How far `until` has read, and how far it has looked for what it waits for.
  private var read = 0

  /// Reads to the program's end.
  package func finish() throws -> Ending {
    while ending == nil { _ = try more() }
    return ending ?? .exit(-1)
  }

  /// Whether the terminal takes lines, shows what is typed and has its signals: as a shell left it.
  package var isAsAShellLeavesIt: Bool {
    var attributes = termios()
    guard tcgetattr(slave, &attributes) == 0 else { return false }
    let wanted = tcflag_t(ICANON | ECHO | ISIG)
    return attributes.c_lflag & wanted == wanted && attributes.c_oflag & tcflag_t(OPOST) != 0
  }

  /// Sets the modes in which a shell works.
  package func makeAsAShellDoes() {
    var attributes = termios()
    guard tcgetattr(slave, &attributes) == 0 else { return }
    attributes.c_lflag |= tcflag_t(ICANON | ECHO | ISIG)
    attributes.c_oflag |= tcflag_t(OPOST)
    tcsetattr(slave, TCSANOW, &attributes)
  }

  /// Waits until the program stopped itself, as Ctrl-Z makes it.
  package func untilStopped() throws {
    var status: Int32 = 0
    while true {
      let result = waitpid(process, &status, WUNTRACED | WNOHANG)
      if result == process, status & 0xff == 0x7f {
        // What it wrote before it stopped.
        while try more(milliseconds: 50, mayBeSilent: true) {}
        return
      }
      if result == process { throw Failure(description: "It ended instead of stopping.") }
      _ = try more(milliseconds: 50, mayBeSilent: true)
    }
  }

  /// One read; false at the program's end, or when it may be silent and is.
  private func more(milliseconds: Int32 = 10_000, mayBeSilent: Bool = false) throws -> Bool {
    var waited: Int32 = 0
    while true {
      var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, 50) > 0, descriptor.revents & Int16(POLLIN) != 0 {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(master, &buffer, buffer.count)
        if count > 0 {
          output += buffer.prefix(count)
          answerQuestions()
          return true
        }
      }
      // The slave is open here too: the end is the process's, not the terminal's.
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        let signal = status & 0x7f
        ending = signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal)
        return false
      }
      waited += 50
      guard waited < milliseconds else {
        if mayBeSilent { return false }
        throw Failure(description: "Silent for \(milliseconds) ms: \(rest(from: read))")
      }
    }
  }

  /// Answers the question for the attributes, whether or not it was asked.
  package func answerNow() { _ = write(master, answer, answer.count) }

  private func answerQuestions() {
    while let range = Self.range(of: Array("\u{1b}[c".utf8), in: output, from: answered) {
      answered = range.upperBound
      guard !answersLate else { continue }
      _ = write(master, answer, answer.count)
    }
  }

  private func rest(from begin: Int) -> String {
    String(decoding: output[begin...].suffix(400), as: UTF8.self).debugDescription
  }

  private static func range(of part: [UInt8], in whole: [UInt8], from begin: Int) -> Range<Int>? {
    guard whole.count >= begin + part.count, !part.isEmpty else { return nil }
    let last = whole.count - part.count
    return whole.withUnsafeBufferPointer { bytes in
      var place = begin
      while place <= last {
        if bytes[place] == part[0], bytes[place..<(place + part.count)].elementsEqual(part) {
          return place..<(place + part.count)
        }
        place += 1
      }
      return nil
    }
  }
}
