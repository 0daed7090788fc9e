import Glibc

/// Ends the process with a sentence on stderr, in release builds too: for misuse of the runtime by the engine.
func trap(_ message: String) -> Never {
  writeToStandardError("sprocket: \(message)\n")
  fatalError(message)
}

/// Writes the text in one call, so that lines of several threads do not mix.
func writeToStandardError(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = write(STDERR_FILENO, base, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }
}
