import Foundation
import Glibc

/// Standard error while a picture fills the terminal: what is written to it waits, or it would stand in the picture.
@MainActor
final class HeldErrors {
  private var original: Int32 = -1
  private var held: Int32 = -1

  /// Nothing happens when standard error is no terminal: it doesn't disturb the picture then.
  func begin() {
    guard original < 0, isatty(STDERR_FILENO) == 1 else { return }
    var name = Array((NSTemporaryDirectory() + "sprocket-XXXXXX").utf8CString)
    held = mkstemp(&name)
    guard held >= 0 else { return }
    // Nameless from now on: it goes with the process, however that ends.
    unlink(name)
    original = dup(STDERR_FILENO)
    dup2(held, STDERR_FILENO)
    TerminalRescue.hold(errors: original, in: held)
  }

  /// Gives standard error back and writes what waited, at most the last 64 KiB.
  func end() {
    guard original >= 0 else { return }
    TerminalRescue.hold(errors: -1, in: -1)
    dup2(original, STDERR_FILENO)
    close(original)
    original = -1
    let file = FileHandle(fileDescriptor: held, closeOnDealloc: true)
    let length = (try? file.seekToEnd()) ?? 0
    let limit = UInt64(TerminalRescue.heldLimit)
    try? file.seek(toOffset: length > limit ? length - limit : 0)
    if let text = try? file.readToEnd() { try? FileHandle.standardError.write(contentsOf: text) }
    held = -1
  }
}
