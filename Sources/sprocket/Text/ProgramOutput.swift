import Foundation
import Glibc

/// Standard output and error. What can't be written ends the program with a code that says so.
enum ProgramOutput {
  static func write(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      if fcntl(STDOUT_FILENO, F_GETFD) < 0 {
        fail("The output can't be written: standard output is closed. Open it, or send it to /dev/null.")
      }
      fail("The output can't be written (\(reason(error))). Free some space, or write elsewhere.")
    }
  }

  static func fail(_ message: String) -> Never {
    tell("sprocket: \(message)\n")
    exit(ExitCode.outputFailed.rawValue)
  }

  /// On standard error; nobody is left to hear that this failed.
  static func tell(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  private static func reason(_ error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let cause, cause.domain == NSPOSIXErrorDomain else { return "\(error.localizedDescription)" }
    return String(cString: strerror(Int32(truncatingIfNeeded: cause.code)))
  }
}
