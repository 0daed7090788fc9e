import Foundation
import Glibc
import VideoOutput

/// The controlling terminal: raw keys, alternate screen, size. What it changes it puts back in `leave()`.
@MainActor
final class TerminalScreen {
  private let input: Int32
  private let output: Int32
  private var saved: termios?
  private(set) var geometry = TerminalGeometry(columns: 80, rows: 24)
  private(set) var capabilities: TerminalCapabilities
  /// What the terminal has answered to the question of `enter()`.
  private var answer: [UInt8] = []

  /// - Returns: nil when input or output is no terminal.
  init?(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    guard isatty(input) == 1, isatty(output) == 1 else { return nil }
    self.input = input
    self.output = output
    capabilities = TerminalCapabilities(environment: ProcessInfo.processInfo.environment, answer: [])
  }

  /// Raw keys, alternate screen, cursor hidden; asks the terminal what it can do and waits until nothing comes for 200 ms.
  /// - Returns: keys that were typed meanwhile.
  func enter() -> [UInt8] {
    var attributes = termios()
    guard tcgetattr(input, &attributes) == 0 else { return [] }
    if saved == nil { saved = attributes }
    TerminalRescue.begin(input: input, output: output, settings: attributes)
    cfmakeraw(&attributes)
    // Signals stay the terminal's: Ctrl-C, Ctrl-Z and Ctrl-\ reach the process as usual.
    attributes.c_lflag |= tcflag_t(ISIG)
    attributes.c_oflag |= tcflag_t(OPOST)
    tcsetattr(input, TCSAFLUSH, &attributes)
    write(Array("\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J".utf8))
    answer = ask(TerminalCapabilities.query, milliseconds: 200)
    capabilities = TerminalCapabilities(environment: ProcessInfo.processInfo.environment, answer: answer)
    measure()
    return answer
  }

  /// Takes what a slow terminal answers after `enter()` stopped waiting.
  /// - Parameter bytes: all of its answers since then.
  /// - Returns: whether it can do something else than was assumed.
  func takeLateAnswer(_ bytes: [UInt8]) -> Bool {
    guard !TerminalCapabilities.isComplete(answer) else { return false }
    answer = bytes
    guard TerminalCapabilities.isComplete(answer) else { return false }
    let assumed = capabilities
    capabilities = TerminalCapabilities(environment: ProcessInfo.processInfo.environment, answer: answer)
    measure()
    return capabilities != assumed
  }

  /// Back to how the terminal was found. May be called twice.
  func leave() {
    guard var attributes = saved else { return }
    saved = nil
    guard isInForeground else { return TerminalRescue.end() }
    write(Array("\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l".utf8))
    tcsetattr(input, TCSAFLUSH, &attributes)
    TerminalRescue.end()
  }

  /// Whether the terminal is the process's to change: else it would be stopped for trying. One that does not control the
  /// process (-1) stops nobody.
  var isInForeground: Bool { [-1, getpgrp()].contains(tcgetpgrp(input)) }

  /// Reads the size again (after `SIGWINCH`).
  func measure() {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return }
    let columns = Int(size.ws_col)
    let rows = Int(size.ws_row)
    let cellWidth = capabilities.cellWidth > 0 ? capabilities.cellWidth : Int(size.ws_xpixel) / columns
    let cellHeight = capabilities.cellHeight > 0 ? capabilities.cellHeight : Int(size.ws_ypixel) / rows
    geometry = TerminalGeometry(columns: columns, rows: rows, cellWidth: cellWidth, cellHeight: cellHeight)
  }

  func clear() {
    write(Array("\u{1b}[0m\u{1b}[2J".utf8))
  }

  /// Writes all bytes; a terminal that is gone is no failure worth telling.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        guard poll(&descriptor, 1, 1000) > 0 else { return }
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Bytes that wait at the keyboard, without waiting for more. Empty and `isGone` when the terminal hung up.
  func readKeys() -> (bytes: [UInt8], isGone: Bool) {
    // Bytes that were announced may have been read as an answer meanwhile.
    var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 0) > 0 else { return ([], false) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = read(input, &buffer, buffer.count)
    if count == 0 { return ([], true) }
    return (Array(buffer.prefix(max(count, 0))), count < 0 && errno != EAGAIN && errno != EINTR)
  }

  private func ask(_ query: [UInt8], milliseconds: Int32) -> [UInt8] {
    write(query)
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    // Keys held down come in between; they may not make it wait for ever.
    for _ in 0..<32 where !TerminalCapabilities.isComplete(answer) {
      var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, milliseconds) > 0 else { break }
      let count = read(input, &buffer, buffer.count)
      guard count > 0 else { break }
      answer.append(contentsOf: buffer.prefix(count))
    }
    return answer
  }
}
