/// Text for logs, such as `{3/1 = 3.000}`, `{INVALID}`, `{INDEFINITE}`, `{+INFINITY}`.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? {
  time.text
}

/// Prints the time's description and a line end on standard error.
public func CMTimeShow(_ time: CMTime) {
  show(time.text)
}

extension CMTime {
  package var text: String {
    switch kind {
    case .invalid: return "{INVALID}"
    case .indefinite: return "{INDEFINITE}"
    case .positiveInfinity: return "{+INFINITY}"
    case .negativeInfinity: return "{-INFINITY}"
    case .numeric, .malformed: break
    }
    var text = "{\(value)/\(timescale) = \(String(format: "%.3f", seconds))"
    if epoch != 0 { text += " epoch \(epoch)" }
    if hasBeenRounded { text += ", rounded" }
    return text + "}"
  }
}

func show(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}
