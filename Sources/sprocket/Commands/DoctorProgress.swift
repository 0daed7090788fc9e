import Glibc

/// How far an examination is, on standard error when that is a terminal.
@MainActor
final class DoctorProgress {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var isShown = false

  func show(_ part: Double, of address: String) {
    guard isTerminal else { return }
    let text = StatusLine.fitted("\(Int((min(max(part, 0), 1) * 100).rounded(.down))) %  \(address)", width: 60)
    ProgramOutput.tell("\r\(text)")
    isShown = true
  }

  func clear() {
    guard isShown else { return }
    ProgramOutput.tell("\r\(StatusLine.fitted("", width: 60))\r")
    isShown = false
  }
}
