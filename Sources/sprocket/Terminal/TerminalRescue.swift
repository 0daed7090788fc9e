import Glibc

/// Gives the terminal back when the process crashes: its last words are to be seen, and the shell to be used.
///
/// The handler may run at any place, with locks held and the heap broken: it calls only what signal-safety(7) lists, and
/// touches only memory that was made ready before.
enum TerminalRescue {
  /// What the handler needs. Written on the main thread alone; -1 is no descriptor.
  fileprivate struct Ready {
    var input: Int32 = -1
    var output: Int32 = -1
    var settings = termios()
    /// Standard error as it was, and the file that holds what waits for it.
    var errors: Int32 = -1
    var held: Int32 = -1
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: TerminalRescue.heldLimit, alignment: 16)
    /// Who dealt with each signal before, by its number.
    let earlier = {
      let earlier = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
      earlier.initialize(repeating: sigaction(), count: 65)
      return earlier
    }()
  }

  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  /// Bytes of held text that are written at most.
  static var heldLimit: Int { 65_536 }

  /// From now on a crash puts these settings back.
  @MainActor static func begin(input: Int32, output: Int32, settings: termios) {
    ready.pointee.settings = settings
    ready.pointee.input = input
    ready.pointee.output = output
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = Int32(bitPattern: UInt32(SA_ONSTACK))
    for number in signals { sigaction(number, &action, ready.pointee.earlier + Int(number)) }
  }

  @MainActor static func end() {
    guard ready.pointee.output >= 0 else { return }
    for number in signals { sigaction(number, ready.pointee.earlier + Int(number), nil) }
    ready.pointee.output = -1
    ready.pointee.input = -1
  }

  /// Standard error waits in a file; -1 for both when it no longer does.
  @MainActor static func hold(errors: Int32, in held: Int32) {
    ready.pointee.held = held
    ready.pointee.errors = errors
  }
}

// Never freed: a signal may come until the very end. The one global of the handler: others would be made at first use.
nonisolated(unsafe) private let ready = {
  let ready = UnsafeMutablePointer<TerminalRescue.Ready>.allocate(capacity: 1)
  ready.initialize(to: TerminalRescue.Ready())
  return ready
}()

private let handler: @Sendable @convention(c) (Int32) -> Void = { number in
  let state = ready
  if state.pointee.output >= 0 {
    let restoring: StaticString = "\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"
    write(state.pointee.output, restoring.utf8Start, restoring.utf8CodeUnitCount)
    tcsetattr(state.pointee.input, TCSANOW, &state.pointee.settings)
  }
  if state.pointee.errors >= 0 {
    let length = lseek(state.pointee.held, 0, SEEK_END)
    let start = length > TerminalRescue.heldLimit ? length &- TerminalRescue.heldLimit : 0
    let count = pread(state.pointee.held, state.pointee.buffer, TerminalRescue.heldLimit, start)
    if count > 0 { write(state.pointee.errors, state.pointee.buffer, count) }
    dup2(state.pointee.errors, STDERR_FILENO)
  }
  // To whom it belonged: by default the end, told by the same signal.
  sigaction(number, state.pointee.earlier + Int(number), nil)
  raise(number)
}
